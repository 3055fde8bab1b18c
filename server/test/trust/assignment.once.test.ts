import { aiApi } from '@mokuroku/contract/ai'
import { authApi } from '@mokuroku/contract/auth'
import { isTranslated, pathOf, type Translated } from '@mokuroku/contract/kinds'
import { mediaApi } from '@mokuroku/contract/media'
import { revisionsApi } from '@mokuroku/contract/revisions'
import type { Route } from '@mokuroku/contract/route'
import { newTier, tiersApi } from '@mokuroku/contract/tiers'
import { usersApi } from '@mokuroku/contract/users'
import { beforeAll, describe, expect, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { db } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { TABLES } from '#database/tables.ts'
import { media } from '#store/media'
import { users } from '#store/users'
import { signedIn, withApp } from '#test/app.ts'
import { aMedia, mediaTitled } from '#test/factories.ts'
import { ask } from './rawClient.ts'
import { noId } from './people.ts'
import { routes } from '#test/contract.ts'
import { KIND_SAMPLES, MANY_KINDS, type ManyKind } from '#test/kinds.ts'
import { anEntity } from './entities.ts'

withApp()

let admin: Awaited<ReturnType<typeof signedIn>>
beforeAll(async () => void (admin = await signedIn()))

/** Fields that no input may set, with values that would be noticed. */
const FORBIDDEN: Record<string, unknown> = {
  _id: 'chosen',
  version: 77,
  createdAt: '2001-01-01T00:00:00.000Z',
  updatedAt: '2001-01-01T00:00:00.000Z',
  deletedAt: '2001-01-01T00:00:00.000Z',
  createdBy: 'chosen',
  uploadedBy: 'chosen',
  userId: 'chosen',
  averageRating: 9.9,
  ratingCount: 77,
  ratingSum: 770,
  ratingHistogram: [77],
  usageCount: 77,
  mediaCount: 77,
  characterCount: 77,
  passwordHash: 'chosen',
  lastLogin: '2001-01-01T00:00:00.000Z',
  storageKey: 'chosen.png',
  contentHash: 'chosen',
  status: 'chosen',
  size: 77,
  userCount: 77,
  isAdmin: true,
  permissions: 'chosen',
}

/** The kinds that are created by a call with a body; an asset is uploaded. */
type Created = Exclude<ManyKind, 'Asset'>
const KINDS = MANY_KINDS.filter((kind): kind is Created => kind !== 'Asset')

/** The body of a new entity, where it is not also that of a change. */
const NEW: Record<Exclude<Created, Translated>, () => Promise<object>> = {
  Rating: async () => ({ mediaId: (await aMedia())._id, score: 1 }),
  User: async () => ({ username: noId(), email: `${noId()}@example.org`, password: 'a good password' }),
  Tier: async () => ({ ...newTier(), name: noId(), requiredScore: Math.random() * 1e6 }),
}
const bodyOf = async (kind: Created): Promise<Record<string, unknown>> => ({
  ...(isTranslated(kind) ? KIND_SAMPLES[kind].body() : await NEW[kind]()),
})

describe('class 5: mass assignment', () => {
  test.each(KINDS)('ignores or rejects protected fields of %s', async (kind) => {
    const create = routes.get(`POST ${pathOf(kind)}`) as Route
    const { update } = KIND_SAMPLES[kind].api
    const rowOf = async (id: string) => {
      const row = await db.selectFrom(TABLES[kind]).selectAll().where('_id', '=', id).executeTakeFirst()
      return row as unknown as Record<string, unknown> | undefined
    }
    for (const [key, value] of Object.entries(FORBIDDEN)) {
      const input = await bodyOf(kind)
      if (key in input) continue
      for (const target of ['new', 'old'] as const) {
        const id = target === 'old' ? await anEntity(kind, { who: 'admin', address: '', ...admin }) : ''
        const before = target === 'old' ? await rowOf(id) : undefined
        const { mediaId: _, ...changes } = await bodyOf(kind)
        const given =
          target === 'old' ? { path: { id }, body: { ...changes, [key]: value } } : { body: { ...input, [key]: value } }
        const { status, body } = await ask(target === 'old' ? update : create, given, admin)
        const { _id = id } = body as { _id?: string }
        expect([200, 201, 400], `of ${JSON.stringify(body)}`).toContain(status)
        const after = await rowOf(_id)
        if (status === 400) expect(after).toEqual(before)
        else expect(after?.[key], `of ${target} ${key}`).not.toEqual(value)
      }
    }
  })

  test('users cannot change their own role, score, status, email or password through the profile', async () => {
    const { user, call } = await signedIn({ role: 'user' })
    for (const more of [
      { role: 'admin' },
      { scores: 1e6 },
      { isActive: false },
      { email: 'x@example.org' },
      { password: 'a good password' },
      FORBIDDEN,
    ])
      await ask(authApi.updateProfile, { body: { avatar: '', ...more } }, { token: (await signedIn()).token }).then(
        ({ status }) => expect([200, 400]).toContain(status),
      )
    const before = await users.row(user._id)
    for (const more of [
      { role: 'admin' },
      { scores: 1e6 },
      { isActive: false },
      { email: 'x@example.org' },
      { passwordHash: 'x' },
    ])
      await call(authApi.updateProfile, { body: { ...more } as object }).catch(() => undefined)
    expect(await users.row(user._id)).toEqual(before)
  })

  test('batch saves and AI creation set no protected fields either', async () => {
    const { _id: id } = await aMedia()
    const item = { id, translations: { en: { title: 'New', description: '' } } }
    const answer = await admin.call(aiApi.saveBatch, { body: [{ ...item, averageRating: 9.9 }] as never })
    expect(answer).toMatchObject({ count: 0, errors: [{ id, code: 'invalid' }] })
    const { body } = await ask(
      aiApi.createMedia,
      { body: { translations: item.translations, averageRating: 9.9, createdBy: 'chosen' } },
      admin,
    )
    const made = await media.row((body as { _id: string })._id)
    expect(made).toMatchObject({ averageRating: 0, createdBy: admin.user._id })
  })

  test('does not record an AI run of another user as provenance', async () => {
    const run = {
      _id: newId(),
      provider: 'model' as const,
      model: 'm',
      prompt: '',
      sources: [],
      startedAt: now(),
      milliseconds: 1,
      inputTokens: 1,
      outputTokens: 1,
      isEstimate: false,
    }
    const answers = [{ texts: { en: { title: 'Said by AI' } } }] as never
    await db
      .insertInto('aiRuns')
      .values({ ...run, userId: (await signedIn()).user._id, call: 'media', outcome: 'done', answers })
      .execute()
    const { _id } = await aMedia()
    const changed = mediaTitled('Said by AI')
    await admin.call(mediaApi.update, { id: _id, body: changed, runs: [run._id] })
    const [revision] = (await admin.call(revisionsApi.list, { query: { entityType: 'Media', entityId: _id } })).data
    expect(revision).toMatchObject({ version: 2, origin: 'person' })
    expect(revision?.provenance).toBeUndefined()
  })
})

test('class 5: users can neither create tiers nor raise their own score', async () => {
  const { user, token } = await signedIn({ role: 'user' })
  for (const [route, path] of [
    [tiersApi.create, {}],
    [usersApi.update, { id: user._id }],
  ] as [Route, Record<string, string>][])
    expect((await ask(route, { path, body: { scores: 1e6 } }, { token })).status).toBeGreaterThanOrEqual(400)
  expect((await users.row(user._id))?.scores).toBe(0)
})

import { assetsApi, uploadsApi } from '@mokuroku/contract/assets'
import { authApi } from '@mokuroku/contract/auth'
import type { BulkPreview } from '@mokuroku/contract/bulk'
import { dashboardApi } from '@mokuroku/contract/dashboard'
import { historyApi } from '@mokuroku/contract/history'
import { languagesApi } from '@mokuroku/contract/languages'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { revisionsApi } from '@mokuroku/contract/revisions'
import type { Route } from '@mokuroku/contract/route'
import { searchApi } from '@mokuroku/contract/search'
import { trashApi } from '@mokuroku/contract/trash'
import { usersApi } from '@mokuroku/contract/users'
import { suggestionsApi } from '@mokuroku/contract/work'
import { beforeAll, describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { db, transaction } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { media } from '#store/media'
import { notifications } from '#store/notifications'
import { users } from '#store/users'
import { advanceClock, app, signedIn, withApp } from '#test/app.ts'
import { aMedia, aRating, aUser, mediaInput } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { endpoints } from '../../src/app.ts'
import { ask } from './rawClient.ts'
import { aPerson, noId } from './people.ts'
import { KIND_SAMPLES, MANY_KINDS } from '#test/kinds.ts'
import { anEntity } from './entities.ts'

withApp()

const context = { actor: SYSTEM }
type Client = Awaited<ReturnType<typeof signedIn>>
let [me, other, admin] = [] as unknown as [Client, Client, Client]
beforeAll(async () => {
  ;[me, other, admin] = [await signedIn({ role: 'user' }), await signedIn({ role: 'user' }), await signedIn()]
})

describe('class 2: data of other users by id', () => {
  test('treats sessions, uploads and notifications of others as nonexistent, and leaves them unchanged', async () => {
    await transaction(async (tx) =>
      notifications.notify(tx, [
        { to: other.user._id, kind: 'NEW_SIGN_IN', data: { address: '1.1.1.1', userAgent: 'x' } },
      ]),
    )
    const [{ data: sessions }, { data: inbox }, upload] = [
      await other.call(authApi.sessions),
      await other.call(notificationsApi.list),
      await other.call(uploadsApi.begin, { body: { filename: 'a.png', size: 5 } }),
    ]
    const tried: [Route, string][] = [
      [authApi.endSession, sessions[0]?._id ?? ''],
      [uploadsApi.find, upload._id],
      [uploadsApi.append, upload._id],
      [uploadsApi.cancel, upload._id],
    ]
    for (const who of [me, admin])
      for (const [route, id] of tried) {
        const file = route.upload ? { file: { content: Buffer.from('x'), field: 'part' } } : {}
        const answer = await ask(route, { path: { id }, ...file }, who)
        expect(answer.status).toBe(404)
        expect(answer).toEqual(await ask(route, { path: { id: noId() }, ...file }, who))
      }
    await me.call(notificationsApi.read, { body: { ids: [inbox[0]?._id ?? ''] } })
    await me.call(notificationsApi.read, { body: { upTo: inbox[0]?._id ?? '' } })
    expect((await other.call(notificationsApi.list)).unread).toBe(1)
    expect((await other.call(authApi.sessions)).data).toEqual(sessions)
    expect(await other.call(uploadsApi.find, { id: upload._id })).toEqual(upload)
  })

  test('nobody can rate or create media in the name of another user', async () => {
    const { _id: mediaId } = await aMedia()
    const rated = { mediaId, score: 3, comment: '', userId: other.user._id, createdBy: other.user._id }
    const { body } = await ask(ratingsApi.create, { body: rated }, me)
    const [rating] = await db.selectFrom('ratings').selectAll().where('mediaId', '=', mediaId).execute()
    expect(rating?.userId ?? me.user._id, `of ${JSON.stringify(body)}`).toBe(me.user._id)
    const { status } = await ask(mediaApi.create, { body: { ...mediaInput(), createdBy: other.user._id } }, admin)
    const mine = await db.selectFrom('media').select('_id').where('createdBy', '=', other.user._id).execute()
    expect([status < 500, mine]).toEqual([true, []])
  })
})

const HIDDEN = [
  'passwordHash',
  'password',
  'email',
  'token',
  'tokenHash',
  'apiKey',
  'lastLogin',
  'contentHash',
  'storageKey',
]

describe('class 3: hidden fields in filters, sorting, search and errors', () => {
  const lists = endpoints
    .map(({ route }) => route)
    .filter(({ method, path, query }) => method === 'GET' && query && !path.includes(':'))

  test.each(lists.filter(({ stream, file }) => !stream && !file).map((route) => [route.path, route] as const))(
    '%s does not sort or filter by hidden fields',
    async (_, route) => {
      const { shape } = route.query as z.ZodMiniObject
      const needed = { entityType: 'Media', entityId: 'x', ids: 'x', format: 'csv' }
      const usual = {
        ...Object.fromEntries(Object.entries(needed).filter(([name]) => name in shape)),
        ...(route === languagesApi.preview && { from: 'zh', to: 'zh-Hans' }),
        ...(route === suggestionsApi.list && { language: 'zh' }),
      }
      const without = await ask(route, { query: usual }, admin)
      for (const name of HIDDEN) {
        for (const sort of [name, `-${name}`]) {
          const sorted = await ask(route, { query: { ...usual, sort } }, admin)
          if (sorted.status < 300) expect(sorted).toEqual(without)
          else
            expect(sorted).toMatchObject({
              status: 400,
              body: { errors: expect.arrayContaining([expect.objectContaining({ path: 'sort' })]) },
            })
        }
        const names = [name, `${name}[$regex]`]
        for (const value of ['a', '$argon2', { $gt: '' }]) {
          const filtered = await ask(route, { query: { ...usual, [name]: value, [`${name}[$regex]`]: '^a' } }, admin)
          if (filtered.status < 300) expect(filtered).toEqual(without)
          else
            expect(filtered).toMatchObject({
              status: 400,
              body: { errors: names.map((path) => ({ path, message: 'Unknown field' })) },
            })
        }
      }
    },
  )

  test('users cannot find anybody by email address', async () => {
    const { _id } = await aUser({ username: 'Hidden person', email: 'findable@secret-domain.example' })
    for (const text of ['findable@secret-domain.example', 'secret-domain', 'findable']) {
      expect((await me.call(usersApi.list, { query: { search: text } })).data).toEqual([])
      expect((await me.call(searchApi.search, { query: { q: text, indexName: 'users' } })).hits).toEqual([])
    }
    const shown = JSON.stringify([
      await me.call(usersApi.find, { id: _id }),
      await me.call(usersApi.list, { query: { search: 'Hidden person' } }),
      await me.call(searchApi.search, { query: { q: 'Hidden person', indexName: 'users' } }),
    ])
    expect(shown).toContain('Hidden person')
    expect(shown).not.toContain('secret-domain')
  })

  test('answers the same for entities in the trash as for unknown ids', async () => {
    for (const kind of MANY_KINDS) {
      const { api } = KIND_SAMPLES[kind]
      const id = await anEntity(kind, { who: 'admin', address: '', ...admin })
      expect((await ask(api.find, { path: { id } }, me)).status).toBe(200)
      await ask(api.remove, { path: { id } }, admin)
      const gone = await ask(api.find, { path: { id } }, me)
      expect(gone.status).toBe(404)
      expect(gone).toEqual(await ask(api.find, { path: { id: noId() } }, me))
    }
  })
})

describe('class 4: history, trash and search obey current permissions', () => {
  const secret = 'What nobody should read any more'

  test('shows the texts of deleted entities only to users who may restore them', async () => {
    const { _id: id } = await aMedia()
    const changed = mediaInput({ translations: { en: { title: secret, description: secret } } })
    await media.update(id, changed, { ...context, reason: secret })
    const [entry] = (await admin.call(historyApi.recent, { query: {} })).data
    await admin.call(historyApi.rollback, { id: entry?._id ?? '', body: { reason: secret } })
    const reads = async ({ call }: Client) =>
      JSON.stringify([
        (await call(historyApi.recent, { query: { limit: 100 } })).data,
        await call(historyApi.rollbackAll, {
          body: {
            reason: 'x',
            by: { username: 'system', from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' },
            dryRun: true,
          },
        }).catch(() => undefined),
        (await call(trashApi.list)).data,
        (await call(searchApi.search, { query: { q: secret } })).hits,
        await call(mediaApi.list, { query: { search: secret } }),
        await call(revisionsApi.list, { query: { entityType: 'Media', entityId: id } }),
      ])
    expect(await reads(me)).toContain(secret)
    const [revision] = (await admin.call(revisionsApi.list, { query: { entityType: 'Media', entityId: id } })).data
    await admin.call(mediaApi.remove, { id })
    expect(await reads(me)).not.toContain(secret)
    expect((await ask(revisionsApi.find, { path: { id: revision?._id ?? '' } }, me)).status).toBe(403)
    expect(await reads(admin)).toContain(secret)
    await admin.call(trashApi.purge, { kind: 'Media', id })
    expect(await reads(me)).not.toContain(secret)
  })

  test('a filter selects nothing in the trash that its user does not see there', async () => {
    const { _id: hidden } = await aMedia({ releaseDate: '1987-06-05T00:00:00.000Z' })
    const owner = await aPerson('canEditOwnContent')
    const as = { actor: owner.actor, verdict: { allowed: true } } as const
    const { _id: own } = await aMedia({ releaseDate: '1987-06-05T00:00:00.000Z' }, as)
    for (const id of [hidden, own]) await admin.call(mediaApi.remove, { id })
    const selected = async ({ call }: Pick<Client, 'call'>, filter = {}) => {
      const body = { filter: { from: '1987-06-05', to: '1987-06-05', ...filter }, change: { restore: true as const } }
      const { changes, refused } = (await call(mediaApi.bulk, { body: { ...body, dryRun: true } })) as BulkPreview
      return [...changes.ids, ...refused.ids].toSorted()
    }
    expect(await selected(owner)).toEqual([own])
    expect(await selected(owner, { createdBy: 'system' })).toEqual([])
    expect(await selected(admin)).toEqual([hidden, own].toSorted())
    expect(await selected(admin, { createdBy: 'system' })).toEqual([hidden])
  })

  test('ratings of a deleted media reveal only its name', async () => {
    const { _id: mediaId } = await aMedia({ translations: { en: { title: 'Its name', description: secret } } })
    const id = await aRating(mediaId, 3)
    const reads = async () =>
      JSON.stringify([await me.call(ratingsApi.find, { id }), await me.call(ratingsApi.ofMedia, { id: mediaId })])
    expect(await reads()).toContain(secret)
    await admin.call(mediaApi.remove, { id: mediaId })
    expect(await reads()).toContain('Its name')
    expect(await reads()).not.toContain(secret)
  })

  test('a lost permission takes effect at the next call', async () => {
    const { call, user } = await signedIn({ role: 'moderator' })
    const { _id: entityId } = await aUser()
    const query = { entityType: 'User', entityId } as const
    const [revision] = (await call(revisionsApi.list, { query })).data
    await db.updateTable('users').set({ role: 'user' }).where('_id', '=', user._id).execute()
    await expect(call(revisionsApi.list, { query })).rejects.toMatchObject({ status: 403 })
    await expect(call(revisionsApi.find, { id: revision?._id ?? '' })).rejects.toMatchObject({ status: 403 })
  })

  test('hides accounts from the activities, and the history of the settings from moderators', async () => {
    const { _id, username } = await aUser({ username: 'Unheard of' })
    await users.update(_id, { scores: 3 }, context)
    await admin.call(usersApi.remove, { id: _id })
    const activities = await me.call(dashboardApi.activities, { query: { limit: 100 } })
    expect(activities.filter(({ title, entityType }) => title === username || entityType === 'User')).toEqual([])
    const moderator = await signedIn({ role: 'moderator' })
    const query = { entityType: 'Setting', entityId: 'settings' } as const
    await expect(moderator.call(revisionsApi.list, { query })).rejects.toMatchObject({ status: 403 })
  })

  test('does not serve the file of a private asset by the storage key in its history', async () => {
    const { call, token } = await signedIn()
    const { _id: id } = (await send(await aPicture(50, 60), 'once public.png', { token })).body
    const { data } = await call(revisionsApi.list, { query: { entityType: 'Asset', entityId: id } })
    const { snapshot } = await call(revisionsApi.find, { id: data.at(-1)?._id ?? '' })
    const opened = async (headers = {}) =>
      (await app.inject({ url: `/files/${String(snapshot.storageKey)}`, headers })).statusCode
    expect(await opened()).toBe(200)
    await call(assetsApi.update, { id, body: { isPublic: false } })
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) expect(await opened(headers)).toBe(404)
  })
})

describe('class 4: private assets are for signed-in users only', () => {
  test('signed-in users can list, search, read and open them; visitors cannot', async () => {
    const fields = { isPublic: 'false' }
    const { _id: id } = (await send(await aPicture(30, 40), 'colleagues only.png', { token: admin.token, fields })).body
    const idsIn = async (query: object) => (await me.call(assetsApi.list, { query })).data.map(({ _id }) => _id)
    expect(await idsIn({ isPublic: 'false', limit: 100 })).toContain(id)
    expect(await idsIn({ search: 'colleagues only', limit: 100 })).toContain(id)
    const shown = await me.call(assetsApi.find, { id })
    expect(shown).toMatchObject({ _id: id, isPublic: false })

    for (const [route, request] of [
      [assetsApi.list, { query: { isPublic: 'false' } }],
      [assetsApi.find, { path: { id } }],
      [assetsApi.uses, { path: { id } }],
    ] as const)
      expect((await ask(route, request, {})).status).toBe(401)

    const opened = async (url: string, headers = {}) => (await app.inject({ url, headers })).statusCode
    const [unsigned = ''] = shown.url.split('?')
    expect(await opened(shown.url)).toBe(200)
    expect(await opened(unsigned)).toBe(404)
    // A token opens no file: only the signed URL counts, and only signed-in users get one.
    expect(await opened(unsigned, { authorization: `Bearer ${me.token}` })).toBe(404)
    advanceClock(301_000)
    expect(await opened(shown.url)).not.toBe(200)
    expect(await opened((await me.call(assetsApi.find, { id })).url)).toBe(200)
  })
})

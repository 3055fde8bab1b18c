// One valid call of each route, about an existing entity.
import { createHash, randomUUID } from 'node:crypto'
import { newTier } from '@mokuroku/contract/tiers'
import { ViewInput } from '@mokuroku/contract/views'
import * as z from 'zod/mini'
import { now } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { INVITED } from '#access/password.ts'
import { SYSTEM } from '#access/permissions.ts'
import { newId } from '#lib/ids.ts'
import { actorOf, startSession } from '#access/session.ts'
import type { Tables } from '#database/tables.ts'
import { resets } from '#store/auth'
import { comments } from '#store/comments'
import { findings } from '#store/findings'
import { media } from '#store/media'
import { users } from '#store/users'
import { views } from '#store/views'
import { ADMIN } from '#test/app.ts'
import { aMedia, aUser } from '#test/factories.ts'
import { uploadSessions } from '../../src/assets/uploadSessions.ts'
import { trashUnused } from '../../src/assets/unused.ts'
import type { Person } from './people.ts'
import { pathOf, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { KIND_SAMPLES, type ManyKind } from '#test/kinds.ts'
import { anEntity, aTrashed, aBatch, aJob, anAsset, anImport, asIf } from './entities.ts'

/** The parts of a call. `token` replaces that of the caller. */
export interface Given {
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  file?: { content: Buffer; field: string; fields?: Record<string, string> }
  token?: string
}

/** Makes a call about an entity of `owner`; a call about the caller's own data uses `person`. */
type Make = (owner: Person, person: Person) => Promise<Given> | Given

export const PASSWORD = 'a good password'
/** An image of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

let count = 0
const name = () => `one${++count}`
const texts = () => ({ en: { title: name(), description: '' } })

const on =
  (kind: ManyKind, more: (id: string) => Given = () => ({})): Make =>
  async (owner) => {
    const id = await anEntity(kind, owner)
    return { path: { id }, ...more(id) }
  }
const onTrashed =
  (kind: ManyKind): Make =>
  async (owner) => ({ path: { id: await aTrashed(kind, owner) } })

const onImport =
  (more: Given = {}): Make =>
  async (owner) => ({ path: { id: await anImport(owner, 'ready') }, ...more })

const aTierBody = () => ({ ...newTier(), name: name(), requiredScore: 10_000 + count })
const aUserBody = () => ({ username: name(), email: `${name()}@example.org`, password: PASSWORD })
const aFile = (field: string): Given => ({ file: { content: PIXEL, field } })
const FOLD = { from: 'pt', to: 'pt-BR' }
const aText = { text: { en: { title: 'A title', description: '' } } }

/** The history entry of a change made by the owner. */
async function anEntry(owner: Person) {
  const { _id: entityId } = await aMedia()
  await media.update(entityId, { translations: texts() }, asIf(owner))
  const [entry] = await db.selectFrom('history').selectAll().where('entityId', '=', entityId).execute()
  const revision = await db
    .selectFrom('revisions')
    .selectAll()
    .where('entityId', '=', entityId)
    .where('version', '=', 2)
    .executeTakeFirstOrThrow()
  return { id: entry?._id ?? '', at: revision.createdAt }
}

const VIEW = { name: 'Unfinished', entityType: 'Media', filters: { missing: 'zh' }, shared: true } as const

/** A shared view of the owner. */
async function aView(owner: Person) {
  // A user shares a limited number of views.
  await db.updateTable('views').set({ shared: false }).where('createdBy', '=', owner.user._id).execute()
  const { _id: id } = await views.create(z.parse(ViewInput, VIEW), asIf(owner).actor)
  return { path: { id } }
}

/** A comment on a media item of the owner. */
const aRemark = async (owner: Person) => ({
  entityType: 'Media' as const,
  entityId: await anEntity('Media', owner),
  text: 'Which edition?',
})

async function aComment(owner: Person) {
  const { _id: id } = await comments.create(await aRemark(owner), asIf(owner).actor)
  return { path: { id } }
}

/** The finding that a media item of the owner has no cover. */
const aFinding = async (owner: Person) => ({ entityId: await anEntity('Media', owner), code: 'noCover' as const })

/** The first revision of a media item of the owner that was changed since. */
async function aRevision(owner: Person): Promise<string> {
  const id = await anEntity('Media', owner)
  await media.update(id, { translations: texts() }, asIf(owner))
  const revision = await db
    .selectFrom('revisions')
    .select('_id')
    .where('entityId', '=', id)
    .where('version', '=', 1)
    .executeTakeFirstOrThrow()
  return revision._id
}

async function anUploadSession(owner: Person): Promise<string> {
  const able = await actorOf({ ...owner.user, role: 'admin' })
  return (await uploadSessions.begin({ filename: 'a.png', size: PIXEL.length }, able)).session._id
}

/** An invited account, whose user has not chosen a password yet. */
const anInvited = () =>
  transaction((tx) => users.add(tx, { username: name(), email: `${name()}@example.org` }, INVITED, { actor: SYSTEM }))

async function aLink(): Promise<string> {
  const token = randomUUID()
  await resets.add(await aUser(), createHash('sha256').update(token).digest('hex'), 30)
  return token
}

/** The account as it is now: a call about their own account may have renamed a user. */
const accountOf = async ({ _id }: Tables['users']) => (await users.row(_id)) as Tables['users'] | undefined

/** The token of another session; for an inactive account, which cannot start one, its existing token. */
async function anotherSession({ user, token = '' }: Person): Promise<string> {
  const row = await accountOf(user)
  return row?.isActive ? startSession(row, { address: '127.0.0.1', userAgent: 'test' }) : token
}

const sessionIn = (token: string): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid

/** The calls that every catalogue kind has. */
const callsOf = (kind: ManyKind): Record<string, Make> => {
  const path = pathOf(kind)
  const { body } = KIND_SAMPLES[kind]
  return {
    [`GET ${path}/:id`]: on(kind),
    [`GET ${path}/:id/uses`]: on(kind),
    [`POST ${path}`]: () => ({ body: body() }),
    [`PUT ${path}/:id`]: on(kind, () => ({ body: body() })),
    [`DELETE ${path}/:id`]: on(kind),
    [`POST ${path}/:id/restore`]: onTrashed(kind),
    [`GET ${path}/export`]: () => ({ query: { format: 'csv' } }),
    [`POST ${path}/export`]: async (owner) => ({ body: { ids: [await anEntity(kind, owner)], format: 'csv' } }),
    [`POST ${path}/:id/merge`]: async (owner) => ({
      path: { id: await anEntity(kind, owner) },
      body: { from: { _id: await anEntity(kind, owner), version: 1 }, pick: {} },
    }),
    [`POST ${path}/duplicates`]: () => ({ body: { document: body() } }),
    [`POST ${path}/bulk`]: async (owner) => ({
      body: { ids: [await anEntity(kind, owner)], change: { delete: true } },
    }),
  }
}

/** Routes that are not listed here take no input. */
export const CALLS: Record<string, Make> = {
  ...Object.assign({}, ...TRANSLATED_KINDS.map(callsOf)),
  'POST /api/auth/login': () => ({ body: ADMIN }),
  'POST /api/auth/forgot-password': () => ({ body: { email: `${name()}@example.org` } }),
  'POST /api/auth/reset-password': async () => ({ body: { token: await aLink(), password: PASSWORD } }),
  'POST /api/auth/logout': async (_, person) => ({ token: await anotherSession(person) }),
  'PUT /api/auth/profile': (_, { user }) => ({ body: { username: `${user.username}!` } }),
  'PUT /api/auth/preferences': () => ({ body: { columns: { Media: ['title', 'rating'] } } }),
  'POST /api/auth/confirm': () => ({ body: { password: PASSWORD } }),
  'PUT /api/auth/password': () => ({ body: { current: PASSWORD, password: `${PASSWORD}!` } }),
  'DELETE /api/auth/sessions/:id': async (_, person) => ({
    path: { id: sessionIn(await anotherSession(person)) },
  }),

  'GET /api/search': () => ({ query: { q: 'media' } }),
  'GET /api/search/entries': () => ({ query: { indexName: 'media', ids: 'x' } }),
  'GET /api/characters/media/:id': on('Media'),
  'GET /api/characters/:id/media': on('Character'),
  'POST /api/tags/:id/replace': async (owner) => {
    const [id, next] = [await anEntity('Tag', owner), await anEntity('Tag', owner)]
    await aMedia({ tags: [id] }, asIf(owner))
    return { path: { id }, body: { with: next } }
  },
  'GET /api/ratings/media/:id': on('Media'),
  'GET /api/ratings/:id': on('Rating'),
  'GET /api/ratings/:id/uses': on('Rating'),
  'POST /api/ratings': async () => ({ body: { mediaId: (await aMedia())._id, score: 7, comment: '' } }),
  'PUT /api/ratings/:id': on('Rating', () => ({ body: { score: 7.5 } })),
  'DELETE /api/ratings/:id': on('Rating'),
  'POST /api/ratings/:id/restore': onTrashed('Rating'),

  'GET /api/assets/:id': on('Asset'),
  'GET /api/assets/:id/uses': on('Asset'),
  'POST /api/assets': () => aFile('file'),
  'POST /api/assets/image': () => aFile('image'),
  'PUT /api/assets/:id': on('Asset', () => ({ body: { filename: 'another.png' } })),
  'PUT /api/assets/:id/file': on('Asset', () => aFile('file')),
  'POST /api/assets/:id/retry': async (owner) => ({ path: { id: await anAsset(owner, 'ERROR') } }),
  'DELETE /api/assets/:id': on('Asset'),
  'POST /api/assets/:id/restore': onTrashed('Asset'),
  'POST /api/assets/unused/trash': async (owner) => {
    await anAsset(owner)
    return { body: { until: now() } }
  },
  'POST /api/assets/unused/restore': async (owner) => {
    const able = await actorOf({ ...owner.user, role: 'admin' })
    await trashUnused({ until: now() }, able)
    await anAsset(owner)
    return { body: { batch: (await trashUnused({ until: now() }, able)).batch } }
  },
  'POST /api/uploads': () => ({ body: { filename: 'a.png', size: PIXEL.length } }),
  'GET /api/uploads/:id': async (owner) => ({ path: { id: await anUploadSession(owner) } }),
  'PATCH /api/uploads/:id': async (owner) => ({ path: { id: await anUploadSession(owner) }, ...aFile('part') }),
  'DELETE /api/uploads/:id': async (owner) => ({ path: { id: await anUploadSession(owner) } }),

  'POST /api/translation-history/rollback/:id': async (owner) => ({
    path: { id: (await anEntry(owner)).id },
    body: { reason: 'a test' },
  }),
  'POST /api/translation-history/rollback': async (owner) => {
    const { at } = await anEntry(owner)
    const username = (await accountOf(owner.user))?.username ?? ''
    return { body: { reason: 'a test', by: { username, from: at, to: at } } }
  },
  'GET /api/languages/fold': () => ({ query: FOLD }),
  'POST /api/languages/fold': () => ({ body: FOLD }),
  'GET /api/comments': async (owner) => ({ query: { entityType: 'Media', entityId: await anEntity('Media', owner) } }),
  'GET /api/comments/counts': async (owner) => ({
    query: { entityType: 'Media', ids: await anEntity('Media', owner) },
  }),
  'POST /api/comments': async (owner) => ({ body: await aRemark(owner) }),
  'PUT /api/comments/:id': async (owner) => ({ ...(await aComment(owner)), body: { resolved: true } }),
  'DELETE /api/comments/:id': (owner) => aComment(owner),
  'GET /api/views/:id': aView,
  'POST /api/views': () => ({ body: VIEW }),
  'PUT /api/views/:id': async (owner) => ({ ...(await aView(owner)), body: { ...VIEW, name: 'Renamed' } }),
  'DELETE /api/views/:id': aView,

  'POST /api/work/claim': () => ({ body: { entityType: 'Media', filter: { finding: 'noCover' } } }),
  'POST /api/work/release': () => ({ body: { ids: [randomUUID()] } }),
  'GET /api/work/suggestions': async (owner) => ({
    query: { entityType: 'Media', entityId: await anEntity('Media', owner), language: 'ja' },
  }),

  'GET /api/findings': () => ({ query: { entityType: 'Media' } }),
  'GET /api/findings/marks': async (owner) => ({
    query: { entityType: 'Media', ids: await anEntity('Media', owner) },
  }),
  'GET /api/findings/:id': on('Media'),
  'GET /api/findings/:id/decisions': on('Media'),
  'POST /api/findings/dismiss': async (owner) => ({ body: await aFinding(owner) }),
  'DELETE /api/findings/dismiss': async (owner) => {
    const target = await aFinding(owner)
    await findings.dismiss(target, SYSTEM)
    return { query: { ...target } }
  },

  'GET /api/revisions': async (owner) => ({
    query: { entityType: 'Media', entityId: await anEntity('Media', owner) },
  }),
  'GET /api/revisions/:id': async (owner) => ({ path: { id: await aRevision(owner) } }),
  'POST /api/revisions/:id/restore': async (owner) => ({ path: { id: await aRevision(owner) }, body: {} }),
  'DELETE /api/trash/:kind/:id': async (owner) => ({ path: { kind: 'Media', id: await aTrashed('Media', owner) } }),

  'GET /api/batches/:id': async (owner) => ({ path: { id: await aBatch(owner, 'done') } }),
  'GET /api/batches/:id/results': async (owner) => ({ path: { id: await aBatch(owner, 'done') } }),
  'GET /api/batches/:id/stream': async (owner) => ({ path: { id: await aBatch(owner, 'done') } }),
  'POST /api/batches/:id/cancel': async (owner) => ({ path: { id: await aBatch(owner, 'running') } }),
  'POST /api/batches/:id/rollback': async (owner) => {
    const batch = newId()
    await media.update(await anEntity('Media', owner), { translations: texts() }, { ...asIf(owner), batch })
    return { path: { id: batch }, body: { reason: 'a test' } }
  },

  'POST /api/imports': () => ({
    file: { content: Buffer.from('translations.en.title\nA title\n'), field: 'file', fields: { entityType: 'Media' } },
  }),
  'GET /api/imports/:id': onImport(),
  'GET /api/imports/:id/stream': onImport(),
  'GET /api/imports/:id/refused': onImport(),
  'PUT /api/imports/:id/mapping': onImport({ body: { mapping: { title: 'translations.en.title' } } }),
  'PUT /api/imports/:id/cells': onImport({ body: { corrections: [{ row: 2, header: 'title', text: 'Corrected' }] } }),
  'POST /api/imports/:id/apply': onImport({ body: { duplicates: 'skip' } }),
  'POST /api/imports/:id/cancel': async (owner) => ({ path: { id: await anImport(owner, 'checking') } }),
  'DELETE /api/imports/:id': onImport(),

  'POST /api/jobs/:id/retry': async () => ({ path: { id: await aJob('failed') } }),
  'POST /api/jobs/:id/cancel': async () => ({ path: { id: await aJob('queued') } }),

  'GET /api/users/:id': on('User'),
  'GET /api/users/:id/uses': on('User'),
  'POST /api/users': () => ({ body: aUserBody() }),
  'PUT /api/users/:id': on('User', () => ({ body: { scores: 7 } })),
  'DELETE /api/users/:id': on('User'),
  'POST /api/users/:id/restore': onTrashed('User'),
  'POST /api/users/invite': () => ({ body: { username: name(), email: `${name()}@example.org` } }),
  'POST /api/users/:id/invite': async () => ({ path: { id: await anInvited() }, body: {} }),
  'GET /api/score-permissions/:id': on('Tier'),
  'GET /api/score-permissions/:id/uses': on('Tier'),
  'POST /api/score-permissions': () => ({ body: aTierBody() }),
  'PUT /api/score-permissions/:id': on('Tier', () => ({ body: aTierBody() })),
  'DELETE /api/score-permissions/:id': on('Tier'),
  'POST /api/score-permissions/:id/restore': onTrashed('Tier'),
  'POST /api/score-permissions/preview': () => ({ body: { tier: aTierBody() } }),
  'GET /api/audit/export': () => ({ query: { format: 'csv' } }),
  'POST /api/notifications/read': () => ({ body: { ids: ['x'] } }),
  'PUT /api/settings': () => ({ body: { general: { siteName: name() } } }),
  'POST /api/settings/mail/test': () => ({ body: {} }),

  'GET /api/ai/process': () => ({ query: aText }),
  'POST /api/ai/process': () => ({ body: aText }),
  'GET /api/ai/process-media2': () => ({ query: { text: 'Cowboy Bebop' } }),
  'POST /api/ai/process-standard': () => ({
    body: { text: [{ id: 'x', translations: { en: { title: 'A title' } } }] },
  }),
  'POST /api/search': () => ({ body: { query: 'Cowboy Bebop' } }),
  'POST /api/ai/match-characters': () => ({
    body: { characters: [{ translations: { en: { name: 'Ilse Varga', description: '' } } }] },
  }),
  'POST /api/ai/create-media': () => ({ body: { translations: texts() } }),
  'PUT /api/translations/media/batch': async (owner) => ({
    body: [{ id: await anEntity('Media', owner), translations: texts() }],
  }),
  'POST /api/settings/ai/test': () => ({ body: { baseUrl: 'http://127.0.0.1:9/v1', model: 'none' } }),
}

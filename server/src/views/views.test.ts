import { auditApi } from '@mokuroku/contract/audit'
import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { mediaApi } from '@mokuroku/contract/media'
import { MAX_SHARED_VIEWS, MAX_VIEWS, viewsApi } from '@mokuroku/contract/views'
import { expect, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { db } from '#database/db.ts'
import { views } from '#store/views'
import { signedIn, startEmpty, withApp } from '#test/app.ts'
import { aMedia } from '#test/factories.ts'
import { analyze, expectIndexed, plansOf } from '#test/plans.ts'

withApp()

const VIEW = { name: 'Without Chinese', entityType: 'Media', filters: { missing: 'zh', type: 'NOVEL' } } as const

test('a view is created, listed, changed and deleted', async () => {
  await startEmpty()
  const { call, actor } = await signedIn({ role: 'user' })
  const view = await call(viewsApi.create, { body: { ...VIEW, sort: '-updatedAt', columns: ['title', 'rating'] } })
  expect(view).toMatchObject({
    ...VIEW,
    sort: '-updatedAt',
    columns: ['title', 'rating'],
    shared: false,
    createdBy: actor._id,
    username: actor.username,
    canEdit: true,
    version: 1,
  })
  expect((await call(viewsApi.list)).data).toEqual([view])
  expect((await call(viewsApi.list, { query: { entityType: 'Tag' } })).data).toEqual([])
  const changed = await call(viewsApi.update, { id: view._id, body: { ...VIEW, name: ' Novels ' }, base: 1 })
  expect(changed).toMatchObject({ name: 'Novels', sort: null, columns: [], version: 2 })
  await expect(call(viewsApi.update, { id: view._id, body: VIEW, base: 1 })).rejects.toMatchObject({ status: 412 })
  // As after a lost response: it is stored already.
  expect(await call(viewsApi.update, { id: view._id, body: { ...VIEW, name: 'Novels' }, base: 1 })).toEqual(changed)
  expect(await call(viewsApi.remove, { id: view._id })).toEqual({ success: true })
  await expect(call(viewsApi.find, { id: view._id })).rejects.toMatchObject({ status: 404 })
})

test('logs in the audit log who created, changed and deleted a view', async () => {
  const { call, actor } = await signedIn({ role: 'user' })
  const { call: admin, actor: by } = await signedIn()
  const { _id: id } = await call(viewsApi.create, { body: { ...VIEW, shared: true } })
  await call(viewsApi.update, { id, body: { ...VIEW, name: 'Novels', shared: true, sort: '-updatedAt' } })
  await admin(viewsApi.remove, { id })
  const { data } = await admin(auditApi.list, { query: { target: id } })
  expect(data).toMatchObject([
    { action: 'views.deleted', actorId: by._id, label: 'Novels', details: { kind: 'Media', owner: actor._id } },
    { action: 'views.changed', actorId: actor._id, details: { changed: expect.arrayContaining(['name', 'sort']) } },
    { action: 'views.created', actorId: actor._id, entityType: 'View', label: VIEW.name },
  ])
  expect(data[1]?.details.changed).toHaveLength(2)
})

test('the filters of a view are those of the list, with the same results', async () => {
  const { call } = await signedIn()
  const { _id } = await aMedia({ mediaType: 'NOVEL', translations: { en: { title: 'Botchan', description: '' } } })
  const { filters } = await call(viewsApi.create, { body: { ...VIEW, filters: { ...VIEW.filters, hasCover: false } } })
  expect(filters).toEqual({ missing: 'zh', type: 'NOVEL', hasCover: 'false' })
  expect((await call(mediaApi.list, { query: filters })).map((row) => row._id)).toEqual([_id])
})

test.each(TRANSLATED_KINDS)('saves a view for the list of %s', async (entityType) => {
  const { call } = await signedIn()
  const body = { name: 'Named in Japanese', entityType, filters: { language: 'ja' }, sort: 'createdAt' }
  expect(await call(viewsApi.create, { body })).toMatchObject(body)
})

test('everyone can use a shared view, and only its owner and administrators can change it', async () => {
  const owner = await signedIn({ role: 'user' })
  const other = await signedIn({ role: 'moderator' })
  const admin = await signedIn()
  const { _id: id } = await owner.call(viewsApi.create, { body: { ...VIEW, name: 'Mine' } })
  await expect(other.call(viewsApi.find, { id })).rejects.toMatchObject({ status: 404 })
  await expect(other.call(viewsApi.update, { id, body: VIEW })).rejects.toMatchObject({ status: 404 })
  const idsOf = async (call: typeof owner.call) => (await call(viewsApi.list)).data.map(({ _id }) => _id)
  expect(await idsOf(other.call)).not.toContain(id)
  await owner.call(viewsApi.update, { id, body: { ...VIEW, shared: true } })
  expect(await other.call(viewsApi.find, { id })).toMatchObject({ canEdit: false, username: owner.actor.username })
  expect(await idsOf(other.call)).toContain(id)
  for (const act of [() => other.call(viewsApi.update, { id, body: VIEW }), () => other.call(viewsApi.remove, { id })])
    await expect(act()).rejects.toMatchObject({ status: 403, body: { reason: expect.stringContaining('owner') } })
  expect(await admin.call(viewsApi.update, { id, body: { ...VIEW, shared: false } })).toMatchObject({ canEdit: true })
  await expect(other.call(viewsApi.find, { id })).rejects.toMatchObject({ status: 404 })
})

test.each([
  [{ name: ' ' }, 'name'],
  [{ name: 'x'.repeat(81) }, 'name'],
  [{ entityType: 'Asset' }, 'entityType'],
  [{ filters: { colour: 'red' } }, 'filters.colour'],
  [{ filters: { page: '2' } }, 'filters.page'],
  [{ filters: { type: 'OPERA' } }, 'filters.type'],
  [{ filters: { ['__proto__x']: '1' } }, 'filters.__proto__x'],
  [{ entityType: 'Tag', filters: { hasCover: 'true' } }, 'filters.hasCover'],
  [{ filters: { search: { $gt: '' } } }, 'filters.search'],
  [{ sort: 'passwordHash' }, 'sort'],
  [{ columns: Array.from({ length: 31 }, String) }, 'columns'],
  [{ shared: 'yes' }, 'shared'],
  [{ owner: 'somebody else' }, 'owner'],
])('rejects %j with an error at %s, and saves nothing', async (wrong, path) => {
  const { call } = await signedIn({ role: 'user' })
  const body = { ...VIEW, ...wrong } as never
  const refusal = { status: 400, errors: [expect.objectContaining({ path })] }
  const own = async () => (await call(viewsApi.list)).data.filter(({ canEdit }) => canEdit)
  await expect(call(viewsApi.create, { body })).rejects.toMatchObject(refusal)
  expect(await own()).toEqual([])
  const view = await call(viewsApi.create, { body: VIEW })
  await expect(call(viewsApi.update, { id: view._id, body })).rejects.toMatchObject(refusal)
  expect(await own()).toEqual([view])
})

test('limits the number of views per user, even with concurrent requests', async () => {
  const { call, actor } = await signedIn({ role: 'user' })
  const row = (at: number) => ({
    ...VIEW,
    sort: null,
    columns: [],
    shared: false,
    version: 1,
    createdAt: now(),
    updatedAt: now(),
    _id: newId(),
    name: `View ${at}`,
    createdBy: actor._id,
  })
  await db
    .insertInto('views')
    .values(Array.from({ length: MAX_VIEWS - 1 }, (_, at) => row(at)))
    .execute()
  const more = await Promise.allSettled([1, 2, 3].map(() => call(viewsApi.create, { body: VIEW })))
  expect(more.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const { data } = await call(viewsApi.list)
  expect(data.filter(({ createdBy }) => createdBy === actor._id)).toHaveLength(MAX_VIEWS)
})

test('lists the own views of a user, however many others share', async () => {
  const { call, actor } = await signedIn({ role: 'user' })
  const { _id: own } = await call(viewsApi.create, { body: VIEW })
  const at = now()
  const row = (name: string) => ({
    ...VIEW,
    sort: null,
    columns: [],
    shared: true,
    version: 1,
    createdAt: at,
    updatedAt: at,
    _id: newId(),
    name,
    createdBy: newId(),
  })
  await db
    .insertInto('views')
    .values(Array.from({ length: 500 }, (_, each) => row(`A shared view ${each}`)))
    .execute()
  const { data } = await call(viewsApi.list)
  expect(data).toHaveLength(500)
  expect(data.at(-1)).toMatchObject({ _id: own, createdBy: actor._id })
})

test('class 16: limits how many views a user shares, but not a moderator, and lists those of moderators first', async () => {
  const users = await Promise.all([1, 2].map(() => signedIn({ role: 'user' })))
  for (const { call } of users) {
    const share = (name: string) => call(viewsApi.create, { body: { ...VIEW, name, shared: true } })
    for (let each = 0; each < MAX_SHARED_VIEWS; each++) await share(`! ${each}`)
    const refused = {
      status: 400,
      errors: [{ path: 'shared', message: 'At most 20 views can be shared' }],
    }
    await expect(share('! more')).rejects.toMatchObject(refused)
    const { _id: id } = await call(viewsApi.create, { body: VIEW })
    await expect(call(viewsApi.update, { id, body: { ...VIEW, shared: true } })).rejects.toMatchObject(refused)
    // One that is shared already can be changed.
    const first = (await call(viewsApi.list)).data.find(({ name, canEdit }) => name === '! 0' && canEdit)
    await call(viewsApi.update, { id: first?._id ?? '', body: { ...VIEW, name: '! 0 changed', shared: true } })
  }
  const moderator = await signedIn({ role: 'moderator' })
  for (let each = 0; each <= MAX_SHARED_VIEWS; each++)
    await moderator.call(viewsApi.create, { body: { ...VIEW, name: `~ ${each}`, shared: true } })
  // As if shared before there was a limit.
  const [row] = await db.selectFrom('views').selectAll().where('name', '=', '! 1').limit(1).execute()
  if (!row) throw new Error('No view is shared')
  await db
    .insertInto('views')
    .values(Array.from({ length: 500 }, (_, each) => ({ ...row, _id: newId(), name: `! many ${each}` })))
    .execute()
  const { data } = await (await signedIn({ role: 'user' })).call(viewsApi.list)
  expect(data).toHaveLength(500)
  expect(data.filter(({ createdBy }) => createdBy === moderator.user._id)).toHaveLength(MAX_SHARED_VIEWS + 1)
  await db.deleteFrom('views').where('shared', '=', true).execute()
})

test('the views of a user are read without those that nobody shares', async () => {
  const { call, actor } = await signedIn({ role: 'user' })
  await call(viewsApi.create, { body: VIEW })
  await analyze()
  const sorted = 'those that are listed'
  for (const entityType of [undefined, 'Media'] as const)
    await expectIndexed(() => views.list(actor, entityType), { sorted })
  const plan = (await plansOf(() => views.list(actor))).join()
  expect(plan).toContain('views_own')
  expect(plan).toContain('views_shared')
})

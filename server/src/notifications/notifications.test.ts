import { aiApi } from '@mokuroku/contract/ai'
import { authApi } from '@mokuroku/contract/auth'
import { historyApi } from '@mokuroku/contract/history'
import { MAX_NOTIFICATIONS, notificationsApi } from '@mokuroku/contract/notifications'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { tagsApi } from '@mokuroku/contract/tags'
import { newTier, tiersApi } from '@mokuroku/contract/tiers'
import { usersApi } from '@mokuroku/contract/users'
import { beforeAll, expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { momentIn, now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { history } from '#store/history'
import { media } from '#store/media'
import { notifications } from '#store/notifications'
import { users } from '#store/users'
import { app, callAs, signedIn, withApp } from '#test/app.ts'
import { aMedia, aTag, aUser, titled } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { listen } from '#test/stream.ts'

withApp()

let url: string
beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})

type SignedIn = Awaited<ReturnType<typeof signedIn>>

const follow = ({ token }: SignedIn, lastEventId?: string) =>
  listen(`${url}${notificationsApi.stream.path}`, token, lastEventId)

const failed = (filename: string) =>
  ({ kind: 'ASSET_FAILED', data: { assetId: 'a', filename, failure: 'broken' } }) as const

const notify = (to: string, ...filenames: string[]) =>
  transaction(async (tx) =>
    notifications.notify(
      tx,
      filenames.map((filename) => ({ to, ...failed(filename) })),
    ),
  )

/** A title changed by `author`. Returns the media before the change, and the id of the history entry. */
async function aChange({ actor }: SignedIn, title = 'Theirs') {
  const before = await aMedia()
  await media.update(before._id, { translations: titled(title) }, { actor })
  const entry = (await history.recent({ limit: 100, skip: 0 }, SYSTEM)).find(({ entityId }) => entityId === before._id)
  return { before, entry: entry?._id ?? '' }
}

test('notifies the author of a rolled-back change, with who did it, why, and where', async () => {
  const [author, admin] = [await signedIn(), await signedIn()]
  const { before, entry } = await aChange(author)
  await admin.call(historyApi.rollback, { id: entry, body: { reason: 'A typo' } })
  const { data, unread } = await author.call(notificationsApi.list)
  expect(unread).toBe(1)
  expect(data).toEqual([
    {
      _id: expect.any(String),
      kind: 'CHANGES_ROLLED_BACK',
      data: {
        by: admin.user.username,
        reason: 'A typo',
        count: 1,
        entityType: 'Media',
        entityId: before._id,
        title: before.translations.en?.title,
        translations: { en: { name: before.translations.en?.title } },
        language: 'en',
        field: 'title',
      },
      readAt: null,
      createdAt: expect.stringMatching(/^20/),
    },
  ])
  await media.remove(before._id, { actor: admin.actor })
  const [{ data: ofTrashed } = {}] = (await author.call(notificationsApi.list)).data
  expect(ofTrashed).toMatchObject({ title: before.translations.en?.title })
  expect(ofTrashed).not.toHaveProperty('translations')
  expect((await admin.call(notificationsApi.list)).data).toEqual([])
})

test('does not notify users of their own rollbacks', async () => {
  const author = await signedIn()
  const { entry } = await aChange(author)
  await author.call(historyApi.rollback, { id: entry, body: { reason: 'Changed my mind' } })
  expect(await author.call(notificationsApi.list)).toEqual({ data: [], unread: 0 })
})

test('a refused rollback notifies nobody', async () => {
  const [author, admin] = [await signedIn(), await signedIn()]
  const { before, entry } = await aChange(author)
  await media.update(before._id, { translations: titled('Later') }, { actor: admin.actor })
  await expect(admin.call(historyApi.rollback, { id: entry, body: { reason: 'Late' } })).rejects.toMatchObject({
    status: 409,
  })
  expect((await author.call(notificationsApi.list)).data).toEqual([])
})

test('a batch rollback notifies the author once with the count, and its initiator of the end', async () => {
  const [author, admin] = [await signedIn(), await signedIn()]
  const from = now()
  for (const title of ['One', 'Two', 'Three']) await aChange(author, title)
  const by = { username: author.user.username, from, to: now() }
  await admin.call(historyApi.rollbackAll, { body: { reason: 'Vandalism', by, dryRun: true } })
  expect((await author.call(notificationsApi.list)).data).toEqual([])
  const { batch } = await admin.call(historyApi.rollbackAll, { body: { reason: 'Vandalism', by } })
  expect((await author.call(notificationsApi.list)).data).toMatchObject([
    { kind: 'CHANGES_ROLLED_BACK', data: { count: 3, reason: 'Vandalism', by: admin.user.username } },
  ])
  expect((await admin.call(notificationsApi.list)).data).toMatchObject([
    { kind: 'BATCH_FINISHED', data: { what: 'rollback', count: 3, failed: 0, batch } },
  ])
})

test('restoring a revision notifies only the authors of what it replaces', async () => {
  const [author, other, admin] = [await signedIn(), await signedIn(), await signedIn()]
  const { before } = await aChange(author, 'Theirs')
  await media.update(before._id, { episodes: 12 }, { actor: other.actor })
  const query = { entityType: 'Media' as const, entityId: before._id }
  const { data } = await admin.call(revisionsApi.list, { query })
  // The second time, it changes nothing.
  for (let time = 0; time < 2; time++) await admin.call(revisionsApi.restore, { id: data.at(-1)?._id ?? '', body: {} })
  expect((await author.call(notificationsApi.list)).data).toMatchObject([
    {
      kind: 'CHANGES_ROLLED_BACK',
      data: { by: admin.user.username, count: 1, title: before.translations.en?.title, field: 'title' },
    },
  ])
  expect((await other.call(notificationsApi.list)).data).toEqual([])
})

test('notifies of a finished batch of texts, with the numbers of saved and failed items', async () => {
  const { call } = await signedIn()
  const { _id: id } = await aMedia()
  const { batch } = await call(aiApi.saveBatch, {
    body: [
      { id, translations: titled('Standard') },
      { id: 'nowhere', translations: titled('Standard') },
    ],
  })
  expect((await call(notificationsApi.list)).data).toMatchObject([
    { kind: 'BATCH_FINISHED', data: { what: 'translations', count: 1, failed: 1, batch } },
  ])
})

test('notifies of a finished tag replacement', async () => {
  const { call } = await signedIn()
  const [old, next] = [await aTag(), await aTag()]
  await aMedia({ tags: [old] })
  await call(tagsApi.replace, { id: old, body: { with: next } })
  expect((await call(notificationsApi.list)).data).toMatchObject([
    { kind: 'BATCH_FINISHED', data: { what: 'tagReplacement', count: 1 } },
  ])
})

test('notifies the uploader of a file that cannot be processed, with the reason', async () => {
  const { call, token } = await signedIn()
  const whole = await aPicture(400, 400)
  const { body: asset } = await send(whole.subarray(0, whole.length / 2), 'half.png', { token })
  expect((await call(notificationsApi.list)).data).toMatchObject([
    { kind: 'ASSET_FAILED', data: { assetId: asset._id, filename: 'half.png', failure: asset.failure } },
  ])
})

test('notifies of a sign-in from a new address or browser, but not from a known one', async () => {
  const email = 'traveller@example.org'
  const passwordHash = await hashPassword('a good password')
  await transaction((tx) => users.add(tx, { username: 'traveller', email }, passwordHash, { actor: SYSTEM }))
  const signIn = async (address: string, agent: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: authApi.login.path,
      remoteAddress: address,
      headers: { 'user-agent': agent },
      payload: { email, password: 'a good password' },
    })
    return answer.json<{ token: string }>().token
  }
  const chrome = (version: number) =>
    `Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/${version}.0 Safari/537.36`
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const call = callAs(await signIn('192.0.2.1', chrome(140)))
  await signIn('192.0.2.1', chrome(141))
  expect((await call(notificationsApi.list)).data).toEqual([])
  await signIn('192.0.2.7', chrome(141))
  await signIn('192.0.2.1', firefox)
  await signIn('192.0.2.7', firefox)
  expect((await call(notificationsApi.list)).data).toMatchObject([
    { kind: 'NEW_SIGN_IN', data: { address: '192.0.2.1', userAgent: firefox } },
    { kind: 'NEW_SIGN_IN', data: { address: '192.0.2.7', userAgent: chrome(141) } },
  ])
})

test('lists the newest first up to the limit, and marks single ones or all up to one as read', async () => {
  const reader = await signedIn()
  await notify(reader.user._id, 'one', 'two', 'three', 'four')
  const { data } = await reader.call(notificationsApi.list, { query: { limit: 3 } })
  expect(data.map((each) => each.kind === 'ASSET_FAILED' && each.data.filename)).toEqual(['four', 'three', 'two'])
  const [four, three, two] = data.map(({ _id }) => _id)
  expect(await reader.call(notificationsApi.read, { body: { ids: [three ?? ''] } })).toEqual({
    success: true,
    unread: 3,
  })
  expect(await reader.call(notificationsApi.read, { body: { upTo: two ?? '' } })).toEqual({ success: true, unread: 1 })
  const after = await reader.call(notificationsApi.list)
  expect(after.data.filter(({ readAt }) => readAt === null).map(({ _id }) => _id)).toEqual([four])
})

test('users cannot read or mark the notifications of others', async () => {
  const [reader, stranger] = [await signedIn(), await signedIn()]
  await notify(stranger.user._id, 'theirs')
  await notify(reader.user._id, 'mine')
  const id = (await reader.call(notificationsApi.list)).data[0]?._id ?? ''
  const before = await stranger.call(notificationsApi.list)
  expect(before.data.map(({ _id }) => _id)).not.toContain(id)
  expect(before.unread).toBe(1)
  for (const body of [{ ids: [id] }, { upTo: id }]) await stranger.call(notificationsApi.read, { body })
  expect((await reader.call(notificationsApi.list)).unread).toBe(1)
  expect(await stranger.call(notificationsApi.list)).toEqual(before)
})

test('rejects an empty or ambiguous selection to mark as read', async () => {
  const { call } = await signedIn()
  for (const body of [{}, { ids: [] }, { ids: ['x'], upTo: 'y' }])
    await expect(call(notificationsApi.read, { body: body as never })).rejects.toMatchObject({ status: 400 })
})

test('skips recipients without an active account', async () => {
  const [gone, deleted] = [await aUser({ isActive: false }), await aUser()]
  await users.remove(deleted._id, { actor: SYSTEM })
  const there = await signedIn()
  await transaction(async (tx) =>
    notifications.notify(tx, [
      { to: gone._id, ...failed('x') },
      { to: deleted._id, ...failed('x') },
      { to: 'system', ...failed('x') },
      { to: there.user._id, ...failed('x') },
    ]),
  )
  for (const { _id } of [gone, deleted]) expect(await notifications.unread(_id)).toBe(0)
  expect((await there.call(notificationsApi.list)).unread).toBe(1)
})

test('keeps only the newest, and only those of the last 90 days', async () => {
  const { user, call } = await signedIn()
  for (let each = 0; each < 3; each++)
    await notify(user._id, ...Array.from({ length: 80 }, (_, index) => `file ${each}.${index}`))
  expect((await call(notificationsApi.list)).unread).toBe(200)
  const { data } = await call(notificationsApi.list, { query: { limit: 2 } })
  const old = momentIn(-90.001 * 24 * 3600 * 1000)
  await db
    .updateTable('notifications')
    .set({ createdAt: old })
    .where('_id', '!=', data[0]?._id ?? '')
    .where('userId', '=', user._id)
    .execute()
  await notifications.deleteExpired()
  expect((await call(notificationsApi.list)).data).toEqual([data[0]])
})

test('class 16: comments do not push out the notification of a new sign-in', async () => {
  const { user } = await signedIn()
  const signIn = { to: user._id, kind: 'NEW_SIGN_IN' as const, data: { address: '192.0.2.1', userAgent: 'x' } }
  await transaction(async (tx) => notifications.notify(tx, [signIn]))
  await notify(user._id, ...Array.from({ length: MAX_NOTIFICATIONS + 5 }, (_, index) => `file ${index}`))
  const kept = await notifications.latest(user._id, MAX_NOTIFICATIONS + 10)
  expect([kept.length, kept.at(-1)]).toMatchObject([MAX_NOTIFICATIONS + 1, { kind: 'NEW_SIGN_IN', data: signIn.data }])
})

test('tells the open stream that the permissions of its user have changed, by a score or by a tier', async () => {
  const admin = await signedIn()
  const reader = await signedIn({ role: 'user' })
  const stream = await follow(reader)
  await stream.next()
  await admin.call(usersApi.update, { id: reader.user._id, body: { scores: 5 } })
  expect(await stream.next()).toEqual({ event: 'permissions', data: {} })
  await admin.call(tiersApi.create, { body: { ...newTier(), name: 'Curator', requiredScore: 4 } })
  expect(await stream.next()).toEqual({ event: 'permissions', data: {} })
  expect((await reader.call(authApi.verify)).user.tier).toBe('Curator')
  stream.close()
})

test('sends notifications to the open stream, with the unread count', async () => {
  const reader = await signedIn()
  const stream = await follow(reader)
  expect(await stream.next()).toEqual({ event: 'unread', id: '0', data: { unread: 0 } })
  await notify(reader.user._id, 'one')
  expect(await stream.next()).toMatchObject({ event: 'notification', id: '1', data: { data: { filename: 'one' } } })
  expect(await stream.next()).toEqual({ event: 'unread', id: '1', data: { unread: 1 } })
  await reader.call(notificationsApi.read, {
    body: { upTo: (await reader.call(notificationsApi.list)).data[0]?._id ?? '' },
  })
  expect(await stream.next()).toEqual({ event: 'unread', id: '1', data: { unread: 0 } })
  stream.close()
})

test('never sends uncommitted notifications', async () => {
  const reader = await signedIn()
  const stream = await follow(reader)
  await stream.next()
  const undone = transaction(async (tx) => {
    notifications.notify(tx, [{ to: reader.user._id, ...failed('never') }])
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await notify(reader.user._id, 'told')
  expect(await stream.next()).toMatchObject({ id: '1', data: { data: { filename: 'told' } } })
  stream.close()
})

test('loses and repeats nothing after a reconnection', async () => {
  const reader = await signedIn()
  const stream = await follow(reader)
  await stream.next()
  await notify(reader.user._id, 'one', 'two')
  expect(await stream.next()).toMatchObject({ id: '1' })
  stream.close()
  await notify(reader.user._id, ...Array.from({ length: 120 }, (_, index) => `later ${index}`))
  const again = await follow(reader, '1')
  const got = []
  for (let event = await again.next(); event?.event === 'notification'; event = await again.next()) got.push(event)
  expect(got.map(({ id }) => Number(id))).toEqual(Array.from({ length: 121 }, (_, index) => index + 2))
  again.close()
})

test('ignores an unknown or invalid Last-Event-ID', async () => {
  const reader = await signedIn()
  await notify(reader.user._id, 'old')
  for (const id of ['999', 'no number', '-1']) {
    const stream = await follow(reader, id)
    expect(await stream.next()).toEqual({ event: 'unread', id: '1', data: { unread: 1 } })
    stream.close()
  }
})

test('sends notifications written by another process', async () => {
  const reader = await signedIn()
  const stream = await follow(reader)
  await stream.next()
  await transaction(async (tx) => {
    await tx.insertInto('inboxes').values({ userId: reader.user._id, seq: 1, marks: 0 }).execute()
    await tx
      .insertInto('notifications')
      .values({ userId: reader.user._id, seq: 1, _id: newId(), readAt: null, createdAt: now(), ...failed('elsewhere') })
      .execute()
  })
  expect(await stream.next()).toMatchObject({ data: { data: { filename: 'elsewhere' } } })
  stream.close()
})

test('numbers notifications in commit order with concurrent writers', async () => {
  const reader = await signedIn()
  const stream = await follow(reader)
  await stream.next()
  await Promise.all(Array.from({ length: 20 }, (_, index) => notify(reader.user._id, `file ${index}`)))
  const ids: number[] = []
  while (ids.length < 20) {
    const event = await stream.next()
    if (event?.event === 'notification') ids.push(Number(event.id))
  }
  expect(ids).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  stream.close()
})

test('signing out ends the open stream', async () => {
  const reader = await signedIn()
  const stream = await follow(reader)
  await stream.next()
  await reader.call(authApi.logout)
  expect(await stream.rest()).toEqual([])
  await expect(follow(reader)).rejects.toMatchObject({ status: 401 })
})

import { auditApi } from '@mokuroku/contract/audit'
import { batchesApi } from '@mokuroku/contract/batches'
import { commentsApi } from '@mokuroku/contract/comments'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { now, secondsToMidnight } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { comments } from '#store/comments'
import { media } from '#store/media'
import { notifications } from '#store/notifications'
import { users } from '#store/users'
import { app, idle, signedIn, withApp } from '#test/app.ts'
import { withinOneDay } from '#test/days.ts'
import { aCharacter, aMedia, aTag } from '#test/factories.ts'
import { analyze, expectIndexed } from '#test/plans.ts'

withApp()

const on = (entityId: string, text: string, entityType: 'Media' | 'Character' | 'Tag' = 'Media') => ({
  body: { entityType, entityId, text },
})
const commentsOn = (entityId: string) => ({ query: { entityType: 'Media' as const, entityId } })

test('any user can comment on an entry, and comments are listed with their authors, oldest first unless asked otherwise', async () => {
  const [ann, bob] = [await signedIn({ role: 'user' }), await signedIn({ role: 'user' })]
  const { _id: entityId } = await aMedia()
  const first = await ann.call(commentsApi.create, on(entityId, '  Which edition?\n'))
  expect(first).toEqual({
    _id: expect.any(String),
    entityType: 'Media',
    entityId,
    text: 'Which edition?',
    version: 1,
    mentions: [],
    author: { _id: ann.user._id, username: ann.user.username, avatar: '' },
    createdAt: expect.stringMatching(/^20/),
    editedAt: null,
    resolvedAt: null,
    resolvedBy: null,
    canEdit: true,
    canResolve: true,
    canDelete: true,
  })
  const second = await bob.call(commentsApi.create, on(entityId, 'The first one.'))
  const { data } = await ann.call(commentsApi.list, commentsOn(entityId))
  expect(data).toEqual([first, { ...second, canEdit: false, canResolve: false, canDelete: false }])
  const answer = await app.inject({
    url: `/api/comments?entityType=Media&entityId=${entityId}&limit=1&page=2`,
    headers: { authorization: `Bearer ${ann.token}` },
  })
  expect(answer.headers['x-total-count']).toBe('2')
  expect(answer.json()).toMatchObject({ data: [{ _id: second._id }] })
  const newest = { query: { ...commentsOn(entityId).query, sort: '-createdAt' as const, limit: 1 } }
  expect(await ann.call(commentsApi.list, newest)).toMatchObject({ data: [{ _id: second._id }] })
})

test('a text that is based on an older one overwrites nothing, and other changes are no conflict', async () => {
  const [{ call }, admin] = [await signedIn({ role: 'user' }), await signedIn()]
  const { _id: id, version } = await call(commentsApi.create, on((await aMedia())._id, 'One'))
  const write = (text: string, base?: number) =>
    call(commentsApi.update, { id, body: { text }, ...(base !== undefined && { base }) })
  // Its state is not its text.
  expect(await admin.call(commentsApi.update, { id, body: { resolved: true }, base: 7 })).toMatchObject({ version })
  expect(await write('Two', version)).toMatchObject({ text: 'Two', version: 2 })
  await expect(write('Three', version)).rejects.toMatchObject({
    status: 412,
    code: 'stale',
    body: { mine: { text: 'Three' }, theirs: { text: 'Two' }, conflicts: ['text'], version: 2 },
  })
  // Such as a repeated call whose first response was lost.
  expect(await write('Two', version)).toMatchObject({ text: 'Two', version: 2 })
  expect(await write('Three', 2)).toMatchObject({ text: 'Three', version: 3 })
  expect(await write('Four')).toMatchObject({ text: 'Four', version: 4 })
})

test('characters and tags have comments too', async () => {
  const { call } = await signedIn({ role: 'user' })
  for (const [kind, id] of [
    ['Character', await aCharacter()],
    ['Tag', await aTag()],
  ] as const) {
    await call(commentsApi.create, on(id, 'Is this a duplicate?', kind))
    expect((await call(commentsApi.list, { query: { entityType: kind, entityId: id } })).data).toHaveLength(1)
  }
})

test('notifies mentioned users and earlier commenters once, but not the author', async () => {
  const [ann, bob, eve] = [await signedIn(), await signedIn({ role: 'user' }), await signedIn({ role: 'user' })]
  await users.update(eve.user._id, { username: 'Eve Adams' }, { actor: SYSTEM })
  const { _id: entityId, translations } = await aMedia()
  await bob.call(commentsApi.create, on(entityId, 'Hello'))
  const other = await signedIn({ role: 'user' })
  await other.call(commentsApi.create, on((await aMedia())._id, 'Hello'))
  const text = `@${bob.user.username} and @eve adams: see @${ann.user.username}, @nobody-of-this-name, me@example.org`
  const comment = await ann.call(commentsApi.create, on(entityId, text))
  expect(comment.mentions.map(({ username }) => username)).toEqual([bob.user.username, 'Eve Adams', ann.user.username])
  const notified = (who: typeof ann) => who.call(notificationsApi.list).then(({ data }) => data)
  const data = {
    by: ann.user.username,
    mentioned: true,
    commentId: comment._id,
    entityType: 'Media',
    entityId,
    title: translations.en?.title,
    text,
  }
  expect(await notified(bob)).toMatchObject([{ kind: 'COMMENTED', data }])
  expect(await notified(eve)).toMatchObject([{ kind: 'COMMENTED', data }])
  for (const who of [ann, other]) expect(await notified(who)).toEqual([])
  await ann.call(commentsApi.create, on(entityId, 'And another thing'))
  expect(await notified(bob)).toMatchObject([{ data: { mentioned: false } }, { data: { mentioned: true } }])
  expect(await notified(eve)).toHaveLength(1)
  // An edit notifies only those who were not mentioned before.
  await ann.call(commentsApi.update, { id: comment._id, body: { text: `${text} @eve adams` } })
  expect(await notified(eve)).toHaveLength(1)
  // Nor when a mention is removed and added again.
  const edited = `Hello @${bob.user.username} and @${other.user.username}`
  for (const each of ['Hello', `${edited} @eve adams`])
    await ann.call(commentsApi.update, { id: comment._id, body: { text: each } })
  expect(await notified(eve)).toHaveLength(1)
  expect(await notified(bob)).toHaveLength(2)
  expect(await notified(other)).toMatchObject([{ data: { mentioned: true } }])
})

test('notifications quote a comment as it is now, and no longer once it is deleted', async () => {
  const [ann, bob] = [await signedIn(), await signedIn({ role: 'user' })]
  const { _id: entityId } = await aMedia()
  const { _id: id } = await ann.call(commentsApi.create, on(entityId, `@${bob.user.username}: a password`))
  const listed = () => bob.call(notificationsApi.list).then(({ data }) => data)
  const streamed = () => notifications.after(bob.user._id, 0, 10)
  const text = `@${bob.user.username}: no ${'𠮷'.repeat(300)}`
  await ann.call(commentsApi.update, { id, body: { text } })
  const quote = Array.from(text).slice(0, 200).join('')
  for (const read of [listed, streamed]) expect(await read()).toMatchObject([{ data: { text: quote } }])
  await ann.call(commentsApi.remove, { id })
  for (const read of [listed, streamed]) expect(await read()).toMatchObject([{ data: { text: '' } }])
})

test('open comments are counted in the order of entries', async () => {
  const { call } = await signedIn()
  const ids: string[] = []
  for (let each = 0; each < 8; each++) ids.push((await aMedia())._id)
  for (const id of ids.toReversed()) await call(commentsApi.create, on(id, 'Which edition?'))
  await analyze()
  const { data } = await call(commentsApi.counts, { query: { entityType: 'Media', ids: ids.toReversed().join() } })
  expect(data.map(({ entityId }) => entityId)).toEqual(ids)
})

test('the author edits a comment, editors of the entry resolve it, and moderators delete it', async () => {
  const [author, stranger, moderator] = [
    await signedIn({ role: 'user' }),
    await signedIn({ role: 'user' }),
    await signedIn({ role: 'moderator' }),
  ]
  const { _id: entityId } = await aMedia()
  const { _id: id } = await author.call(commentsApi.create, on(entityId, 'Tpyo'))
  for (const [who, body] of [
    [stranger, { text: 'x' }],
    [moderator, { text: 'x' }],
    [stranger, { resolved: true }],
  ] as const)
    await expect(who.call(commentsApi.update, { id, body })).rejects.toMatchObject({ status: 403 })
  await expect(stranger.call(commentsApi.remove, { id })).rejects.toMatchObject({ status: 403 })
  expect(await author.call(commentsApi.update, { id, body: { text: 'Typo' } })).toMatchObject({
    text: 'Typo',
    editedAt: expect.any(String),
  })
  const open = { entityType: 'Media' as const, ids: entityId }
  expect((await stranger.call(commentsApi.counts, { query: open })).data).toEqual([{ entityId, open: 1 }])
  expect(await moderator.call(commentsApi.update, { id, body: { resolved: true } })).toMatchObject({
    resolvedAt: expect.any(String),
    resolvedBy: { username: moderator.user.username },
  })
  expect((await stranger.call(commentsApi.counts, { query: open })).data).toEqual([])
  const listed = (state: 'open' | 'resolved') =>
    author.call(commentsApi.list, { query: { ...commentsOn(entityId).query, state } }).then(({ data }) => data.length)
  expect([await listed('open'), await listed('resolved')]).toEqual([0, 1])
  expect(await author.call(commentsApi.update, { id, body: { resolved: false } })).toMatchObject({
    resolvedAt: null,
    resolvedBy: null,
  })
  expect([await listed('open'), await listed('resolved')]).toEqual([1, 0])
  expect(await moderator.call(commentsApi.remove, { id })).toEqual({ success: true })
  await expect(author.call(commentsApi.update, { id, body: { text: 'x' } })).rejects.toMatchObject({ status: 404 })
  const admin = await signedIn()
  const { data } = await admin.call(auditApi.list, { query: { target: entityId, area: 'comments' } })
  expect(data.map(({ action }) => action)).toEqual([
    'comments.deleted',
    'comments.reopened',
    'comments.resolved',
    'comments.changed',
    'comments.written',
  ])
})

test('rejects comments that are empty or too long, or on an entry that is missing or in the trash', async () => {
  const { call } = await signedIn()
  const { _id: entityId } = await aMedia()
  const { _id: id } = await call(commentsApi.create, on(entityId, 'Soon gone'))
  for (const text of ['', '   \n', 'x'.repeat(2001), 'a\0b'])
    await expect(call(commentsApi.create, on(entityId, text))).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'text' }],
    })
  await expect(call(commentsApi.create, on('nothing', 'x'))).rejects.toMatchObject({ status: 404 })
  await expect(call(commentsApi.create, on(entityId, 'x', 'Tag'))).rejects.toMatchObject({ status: 404 })
  await expect(call(commentsApi.list, { query: { entityType: 'Rating' as never, entityId } })).rejects.toMatchObject({
    status: 400,
  })
  await call(mediaApi.remove, { id: entityId })
  await expect(call(commentsApi.list, commentsOn(entityId))).rejects.toMatchObject({ status: 404 })
  await expect(call(commentsApi.create, on(entityId, 'x'))).rejects.toMatchObject({ status: 404 })
  await expect(call(commentsApi.update, { id, body: { text: 'x' } })).rejects.toMatchObject({ status: 404 })
  expect((await call(commentsApi.counts, { query: { entityType: 'Media', ids: entityId } })).data).toEqual([])
  await call(mediaApi.restore, { id: entityId })
  expect((await call(commentsApi.list, commentsOn(entityId))).data).toHaveLength(1)
})

test('comments are purged with their entry, and stay without a name when their author is purged', async () => {
  const [ann, bob, admin] = [await signedIn({ role: 'user' }), await signedIn({ role: 'user' }), await signedIn()]
  const [gone, kept] = [await aMedia(), await aMedia()]
  for (const { _id } of [gone, kept]) await bob.call(commentsApi.create, on(_id, 'x'))
  await admin.call(mediaApi.remove, { id: gone._id })
  await media.purge(gone._id, { actor: SYSTEM })
  expect(await db.selectFrom('comments').selectAll().where('entityId', '=', gone._id).execute()).toEqual([])
  await users.remove(bob.user._id, { actor: SYSTEM })
  await users.purge(bob.user._id, { actor: SYSTEM })
  expect((await ann.call(commentsApi.list, commentsOn(kept._id))).data).toMatchObject([
    { text: 'x', author: { _id: bob.user._id, username: '' } },
  ])
})

test('comments follow a merge and its rollback, and stay when the merged entry is purged', async () => {
  const { call } = await signedIn()
  const [stays, goes] = [await aMedia(), await aMedia()]
  await call(commentsApi.create, on(stays._id, 'One'))
  const { _id: id } = await call(commentsApi.create, on(goes._id, 'Other'))
  const merge = async () => {
    const { _id, version } = await call(mediaApi.find, { id: goes._id })
    const body = { from: { _id, version }, pick: {} }
    return call(mediaApi.merge, { id: stays._id, body, base: (await call(mediaApi.find, { id: stays._id })).version })
  }
  const texts = async () => (await call(commentsApi.list, commentsOn(stays._id))).data.map(({ text }) => text)
  const { batch } = await merge()
  expect(await texts()).toEqual(['One', 'Other'])
  const counts = () => call(commentsApi.counts, { query: { entityType: 'Media', ids: stays._id } })
  expect((await counts()).data).toEqual([{ entityId: stays._id, open: 2 }])
  expect(await call(commentsApi.update, { id, body: { resolved: true } })).toMatchObject({
    resolvedAt: expect.any(String),
  })
  await call(batchesApi.rollback, { id: batch, body: { reason: 'Not the same' } })
  await idle()
  expect(await texts()).toEqual(['One'])
  await merge()
  await media.purge(goes._id, { actor: SYSTEM })
  expect(await texts()).toEqual(['One', 'Other'])
})

test('comments on a merged entry are purged with it if the other entry was purged before', async () => {
  const { call } = await signedIn()
  const [stays, goes] = [await aMedia(), await aMedia()]
  const { _id } = await call(commentsApi.create, on(goes._id, 'x'))
  await call(mediaApi.merge, { id: stays._id, body: { from: { _id: goes._id, version: 1 }, pick: {} }, base: 1 })
  await call(mediaApi.remove, { id: stays._id })
  for (const each of [stays, goes]) await media.purge(each._id, { actor: SYSTEM })
  expect(await db.selectFrom('comments').selectAll().where('_id', '=', _id).execute()).toEqual([])
})

test('shows the comments on all merged entries, however many there are, and however indirectly', async () => {
  const { call, user } = await signedIn()
  const { _id: id } = await aMedia()
  const merged = Array.from({ length: 120 }, () => newId())
  const row = (fromId: string, toId: string) => ({ fromId, toId, entityType: 'Media' as const, batch: newId() })
  const merges = [...merged.map((fromId) => row(fromId, id)), row('indirect', merged[60] ?? '')]
  await db
    .insertInto('merges')
    .values(merges.map((merge) => ({ ...merge, createdAt: now() })))
    .execute()
  const comment = { _id: newId(), entityType: 'Media' as const, entityId: 'indirect', text: 'x', mentions: [] }
  const more = { createdBy: user._id, createdAt: now(), editedAt: null, resolvedAt: null, resolvedBy: null, version: 1 }
  await db
    .insertInto('comments')
    .values({ ...comment, ...more })
    .execute()
  expect((await call(commentsApi.list, commentsOn(id))).data).toMatchObject([{ text: 'x' }])
  const { data } = await call(commentsApi.counts, { query: { entityType: 'Media', ids: id } })
  expect(data).toEqual([{ entityId: id, open: 1 }])
})

test('comments on a merged entry count for notifications and for the limit per entry', async () => {
  const [ann, bob] = [await signedIn(), await signedIn({ role: 'user' })]
  const [stays, goes] = [await aMedia(), await aMedia()]
  await bob.call(commentsApi.create, on(goes._id, 'Which edition?'))
  const body = { from: { _id: goes._id, version: 1 }, pick: {} }
  await ann.call(mediaApi.merge, { id: stays._id, body, base: 1 })
  await ann.call(commentsApi.create, on(stays._id, 'The first one.'))
  const { data } = await bob.call(notificationsApi.list)
  expect(data).toMatchObject([{ kind: 'COMMENTED', data: { entityId: stays._id, text: 'The first one.' } }])
  const row = { entityType: 'Media' as const, entityId: goes._id, text: 'x', mentions: [], createdBy: ann.user._id }
  const past = { createdAt: '2020-01-01T00:00:00.000Z', editedAt: null, resolvedAt: null, resolvedBy: null, version: 1 }
  const more = Array.from({ length: 998 }, () => ({ ...row, ...past, _id: newId() }))
  await db.insertInto('comments').values(more).execute()
  await expect(ann.call(commentsApi.create, on(stays._id, 'One more'))).rejects.toMatchObject({
    status: 409,
    code: 'full',
  })
})

test('class 16: limits comments per day, including deleted ones, and says when to retry', async () => {
  await withinOneDay()
  const { call, user, token } = await signedIn({ role: 'user' })
  const { _id: entityId } = await aMedia()
  const counted = db.updateTable('commentCounts').where('userId', '=', user._id)
  const { _id: deleted } = await call(commentsApi.create, on(entityId, 'One'))
  await counted.set({ comments: 499 }).execute()
  await call(commentsApi.remove, { id: deleted })
  await call(commentsApi.create, on(entityId, 'The last one'))
  const answer = await app.inject({
    method: 'POST',
    url: '/api/comments',
    headers: { authorization: `Bearer ${token}` },
    payload: on(entityId, 'One more').body,
  })
  expect(answer.statusCode).toBe(429)
  expect(Math.abs(Number(answer.headers['retry-after']) - secondsToMidnight())).toBeLessThan(30)
  const other = await signedIn({ role: 'user' })
  expect(await other.call(commentsApi.create, on(entityId, 'My first'))).toMatchObject({ text: 'My first' })
  await counted.set({ day: '2020-01-01' }).execute()
  expect(await call(commentsApi.create, on(entityId, 'One more'))).toMatchObject({ text: 'One more' })
  const days = db.selectFrom('commentCounts').select(['day', 'comments']).where('userId', '=', user._id)
  expect(await days.execute()).toEqual([{ day: now().slice(0, 10), comments: 1 }])
  const reason = 'an entry has a thousand comments at most'
  await expectIndexed(() => comments.counts('Media', [entityId]), { counted: reason })
  await expectIndexed(
    () =>
      comments.list(
        { entityType: 'Media', entityId, state: 'open', sort: 'createdAt', page: 1, limit: 50 },
        { ...SYSTEM },
      ),
    { counted: reason },
  )
})

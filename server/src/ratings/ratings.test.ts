import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import { media as catalogue } from '#store/media'
import { ratings } from '#store/ratings'
import { users } from '#store/users'
import { app, signedIn, withApp } from '#test/app.ts'
import { aMedia, aRating, aTier, mediaTitled } from '#test/factories.ts'
import { analyze, expectIndexed, plansOf } from '#test/plans.ts'

withApp()

const rater = (more: { username?: string } = {}) => signedIn({ role: 'user', ...more })

test('a rating is created, read, changed, deleted and restored', async () => {
  const { call, user } = await rater()
  const media = await aMedia()
  const made = await call(ratingsApi.create, { body: { mediaId: media._id, score: 7.5, comment: 'Slow, then not.' } })
  expect(made).toMatchObject({
    userId: { _id: user._id, username: user.username, avatar: '', fullName: user.username },
    mediaId: { _id: media._id, translations: media.translations, mediaType: 'ANIME' },
    score: 7.5,
    version: 1,
  })
  const id = made._id
  expect(await call(ratingsApi.uses, { id })).toEqual({ total: 0, by: [], first: [] })
  const changed = await call(ratingsApi.update, { id, body: { score: 8 }, base: 1 })
  expect(changed).toMatchObject({ score: 8, comment: 'Slow, then not.', version: 2 })
  expect(await call(ratingsApi.update, { id, body: changed })).toEqual(changed)
  expect(await call(ratingsApi.remove, { id })).toEqual({ success: true })
  expect(await call(mediaApi.find, { id: media._id })).toMatchObject({ averageRating: 0, ratingCount: 0 })
  await expect(call(ratingsApi.find, { id })).rejects.toMatchObject({ status: 404, message: 'Rating not found' })
  expect(await call(ratingsApi.restore, { id })).toMatchObject({ score: 8 })
})

test('creating returns 201, and a score must be 0 to 10 in steps of 0.1', async () => {
  const { call, token } = await rater()
  const { _id: mediaId } = await aMedia()
  for (const score of [-0.1, 10.1, 7.25])
    await expect(call(ratingsApi.create, { body: { mediaId, score } })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'score' }],
    })
  const headers = { authorization: `Bearer ${token}` }
  const payload = { mediaId, score: 10 }
  expect((await app.inject({ method: 'POST', url: '/api/ratings', headers, payload })).statusCode).toBe(201)
})

test.each([
  [0.1 + 0.2, 0.3],
  [9.99999999999, 10],
  [1e-12, 0],
])('stores the calculated score %d as %d', async (score, stored) => {
  const { call } = await rater()
  const { _id: mediaId } = await aMedia()
  expect(await call(ratingsApi.create, { body: { mediaId, score } })).toMatchObject({ score: stored })
})

test('each user can rate a media item once, even with concurrent requests', async () => {
  const { call } = await rater()
  const { _id: mediaId } = await aMedia()
  const give = () => call(ratingsApi.create, { body: { mediaId, score: 6 } })
  const results = await Promise.allSettled([give(), give(), give()])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const result of results)
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409, code: 'duplicate' })
  expect((await call(mediaApi.find, { id: mediaId })).ratingCount).toBe(1)
})

test('refuses to restore a rating that has been replaced by a new one', async () => {
  const { call } = await rater()
  const { _id: mediaId } = await aMedia()
  const { _id: id } = await call(ratingsApi.create, { body: { mediaId, score: 2 } })
  await call(ratingsApi.remove, { id })
  await call(ratingsApi.create, { body: { mediaId, score: 9 } })
  await expect(call(ratingsApi.restore, { id })).rejects.toMatchObject({ status: 409 })
  expect(await call(mediaApi.find, { id: mediaId })).toMatchObject({ averageRating: 9, ratingCount: 1 })
})

test('a rating of a media item in the trash shows its titles, but not its descriptions', async () => {
  const { call } = await rater()
  const media = await aMedia({ translations: { en: { title: 'Kokoro', description: 'A friendship' } } })
  const { _id: id } = await call(ratingsApi.create, { body: { mediaId: media._id, score: 7 } })
  const shown = async () => (await call(ratingsApi.find, { id })).mediaId
  expect(await shown()).toMatchObject({ translations: media.translations })
  await catalogue.remove(media._id, { actor: SYSTEM })
  expect(await shown()).toMatchObject({ translations: { en: { title: 'Kokoro', description: '' } } })
})

test('rejects a rating of a missing media item', async () => {
  const { call } = await rater()
  await expect(call(ratingsApi.create, { body: { mediaId: 'nothing', score: 5 } })).rejects.toMatchObject({
    status: 400,
    errors: [{ path: 'mediaId' }],
  })
})

test('only its owner and moderators or administrators can edit or delete a rating', async () => {
  const [owner, other, moderator] = [await rater(), await rater(), await signedIn({ role: 'moderator' })]
  const { _id: mediaId } = await aMedia()
  const { _id: id } = await owner.call(ratingsApi.create, { body: { mediaId, score: 4 } })
  await expect(other.call(ratingsApi.update, { id, body: { score: 1 } })).rejects.toMatchObject({ status: 403 })
  await expect(other.call(ratingsApi.remove, { id })).rejects.toMatchObject({ status: 403 })
  const changed = await moderator.call(ratingsApi.update, { id, body: { score: 5 } })
  expect(changed).toMatchObject({ score: 5, userId: { _id: owner.user._id } })
})

test('a user who may not rate gets the reason, and can still delete their own rating', async () => {
  const { call, user } = await rater()
  const { _id: mediaId } = await aMedia()
  const { _id: id } = await call(ratingsApi.create, { body: { mediaId, score: 4 } })
  await aTier(50, { canRateContent: false })
  await users.update(user._id, { scores: 50 }, { actor: SYSTEM })
  const other = await aMedia()
  await expect(call(ratingsApi.create, { body: { mediaId: other._id, score: 4 } })).rejects.toMatchObject({
    status: 403,
    message: 'Access denied. You do not have permission for this action.',
    body: { reason: expect.stringContaining('does not allow rating') },
  })
  expect(await call(ratingsApi.remove, { id })).toEqual({ success: true })
})

test('a rating is restored with a comment that its owner may no longer write', async () => {
  const { call } = await rater()
  const { _id: mediaId } = await aMedia()
  const { _id: id } = await call(ratingsApi.create, { body: { mediaId, score: 4 } })
  const moderator = await signedIn({ role: 'moderator' })
  const comment = 'https://example.org '.repeat(100).trim()
  await moderator.call(ratingsApi.update, { id, body: { score: 4, comment } })
  await call(ratingsApi.remove, { id })
  await call(ratingsApi.restore, { id })
  expect(await call(ratingsApi.find, { id })).toMatchObject({ comment })
  await expect(call(ratingsApi.update, { id, body: { score: 5, comment: `${comment}.` } })).rejects.toMatchObject({
    status: 400,
  })
})

test('a comment must be plain text of at most 500 characters, unless the tier allows more', async () => {
  const { call } = await rater()
  await aTier(70, { canCommentUnrestricted: true })
  const free = await signedIn({ role: 'user', scores: 70 })
  const refused = [
    'x'.repeat(501),
    '<b>bold</b>',
    '</p>',
    '[here](https://example.org)',
    'see https://example.org/x',
    'www.example.org',
    'example.com/offer',
    'mailto:me@example.org',
    'evil.example',
    'EVIL.EXAMPLE',
    'at evil.example, of all places',
    'evil.example?x',
    'evil.example:8080',
    'EVIL.ExAmple:80/',
    'me@evil.example',
    'Evil.Example/offer',
    String.raw`http:\\evil.example`,
    String.raw`Evil.Example\offer`,
    'アニメ.comを見て',
    'bücher.example',
    'пример.рф',
    '例え.みんな',
    'ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'http：／／evil',
    'evil。com',
    'evil｡comを見て',
    'evil\u200b.\u2060example',
  ]
  const { _id: mediaId } = await aMedia()
  for (const comment of refused)
    await expect(call(ratingsApi.create, { body: { mediaId, score: 5, comment } })).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'comment' }],
    })
  const comment = `I <3 it: 1 < 2 [sic], e.g. at 7.5... and so on.Then what? Fate/stay night. 最高。次はClannad。after storyも。よかった．アニメ／漫画｡Fate／Zero。第２期：７．５点。${'語'.repeat(300)}`
  expect(await call(ratingsApi.create, { body: { mediaId, score: 5, comment } })).toMatchObject({ comment })
  // Signs count, not their UTF-16 units: 𠮷 has two.
  for (const sign of ['x', '𠮷']) {
    const { _id: other } = await aMedia()
    const rate = (length: number) =>
      call(ratingsApi.create, { body: { mediaId: other, score: 5, comment: sign.repeat(length) } })
    await expect(rate(501)).rejects.toMatchObject({
      status: 400,
      errors: [{ path: 'comment', message: 'A comment has at most 500 characters.' }],
    })
    expect(await rate(500)).toMatchObject({ comment: sign.repeat(500) })
  }
  const long = `${'x'.repeat(600)} <b>https://example.org</b>`
  const { _id: id } = await free.call(ratingsApi.create, { body: { mediaId, score: 5, comment: long } })
  // A comment written with more permissions stays while only the score changes.
  await users.update(free.user._id, { scores: 0 }, { actor: SYSTEM })
  expect(await free.call(ratingsApi.update, { id, body: { score: 6 } })).toMatchObject({ comment: long })
})

test('lists ratings newest first, by page, with the total', async () => {
  const { call } = await rater()
  const { _id: mediaId } = await aMedia()
  const before = (await call(ratingsApi.list)).pagination.total
  const ids: string[] = []
  for (const score of [1, 2, 3]) ids.unshift(await aRating(mediaId, score))
  const { ratings: rows, pagination } = await call(ratingsApi.list, { query: { page: 1, limit: 2 } })
  const total = before + 3
  expect(rows.map(({ _id }) => _id)).toEqual(ids.slice(0, 2))
  expect(pagination).toEqual({ total, pages: Math.ceil(total / 2), page: 1, limit: 2 })
  const [first] = (await call(ratingsApi.list, { query: { page: 2, limit: 2 } })).ratings
  expect(first?._id).toBe(ids[2])
  const ofMedia = async (query: object) =>
    (await call(ratingsApi.ofMedia, { id: mediaId, query })).map(({ _id }) => _id)
  expect(await ofMedia({ limit: 2 })).toEqual(ids.slice(0, 2))
  expect(await ofMedia({ limit: 2, page: 2 })).toEqual(ids.slice(2))
})

test('finds ratings by the title of their media or the name of their user, newest first', async () => {
  const [one, other] = [await rater(), await rater()]
  const [genji, kokoro] = [await aMedia(mediaTitled('The Tale of Genji')), await aMedia(mediaTitled('こころ'))]
  const give = async ({ call }: typeof one, { _id: mediaId }: { _id: string }) =>
    (await call(ratingsApi.create, { body: { mediaId, score: 5 } }))._id
  const ids = [await give(one, genji), await give(other, kokoro), await give(other, genji)]
  const found = async (search: string, query: object = {}) => {
    const { ratings: rows, pagination } = await one.call(ratingsApi.list, { query: { search, ...query } })
    return { total: pagination.total, rows: rows.map(({ _id }) => ids.indexOf(_id)) }
  }
  expect(await found('genji')).toEqual({ total: 2, rows: [2, 0] })
  expect(await found('genji', { page: 2, limit: 1 })).toEqual({ total: 2, rows: [0] })
  expect(await found('kokoro')).toEqual({ total: 1, rows: [1] })
  expect(await found(one.user.username)).toEqual({ total: 1, rows: [0] })
  expect(await found(one.user.email)).toEqual({ total: 0, rows: [] })
  expect(await found('nobody at all')).toEqual({ total: 0, rows: [] })
})

test('a search that finds something as typed leaves out what only resembles it', async () => {
  const [one, other] = [await rater({ username: 'matsuris' }), await rater()]
  const { _id: mediaId } = await aMedia(mediaTitled('Matsuri'))
  const rate = ({ call }: typeof one) => call(ratingsApi.create, { body: { mediaId, score: 5 } })
  const [mine, theirs] = [await rate(one), await rate(other)]
  const found = async (search: string) => {
    const { ratings: rows } = await one.call(ratingsApi.list, { query: { search } })
    return rows.map(({ _id }) => _id)
  }
  expect(await found('matsurix')).toEqual([theirs._id, mine._id])
  expect(await found('matsuris')).toEqual([mine._id])
})

test('finds the rating of one user for a media item', async () => {
  const [{ call, user }, other] = [await rater(), await rater()]
  const { _id: id } = await aMedia()
  const mine = await call(ratingsApi.create, { body: { mediaId: id, score: 3 } })
  await other.call(ratingsApi.create, { body: { mediaId: id, score: 4 } })
  expect(await call(ratingsApi.ofMedia, { id, query: { userId: user._id } })).toEqual([mine])
  await call(ratingsApi.remove, { id: mine._id })
  expect(await call(ratingsApi.ofMedia, { id, query: { userId: user._id } })).toEqual([])
})

test.runIf(process.env.ENGINE === 'postgres')('a search among many ratings does not check all of them', async () => {
  const { call, user } = await rater({ username: 'hanako' })
  // Nobody rated it.
  await aMedia(mediaTitled('Hanako'))
  const { _id: mediaId } = await aMedia()
  await call(ratingsApi.create, { body: { mediaId, score: 5 } })
  const at = '2020-01-01T00:00:00.000Z'
  const many = Array.from({ length: 5000 }, (_, each) => ({
    _id: `many ${each}`,
    userId: `by ${each}`,
    mediaId: `of ${each}`,
    score: 5,
    comment: '',
    version: 1,
    createdBy: null,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  }))
  await transaction((tx) => insertRows(tx, 'ratings', many))
  await analyze()
  const plans = await plansOf(() => ratings.list({ page: 1, limit: 10, search: user.username }))
  await db.deleteFrom('ratings').where('_id', 'like', 'many %').execute()
  expect(plans.filter((line) => line.includes('ratings_created'))).toEqual([])
})

test('the lists are read from indexes', async () => {
  const { _id: mediaId } = await aMedia()
  await aRating(mediaId, 5)
  await expectIndexed(() => ratings.list({ page: 2, limit: 10 }))
  const sorted = 'the ratings of at most a thousand media and users'
  await expectIndexed(() => ratings.list({ page: 1, limit: 10, search: 'user' }), { sorted })
  await expectIndexed(() => ratings.ofMedia(mediaId, 1, 100))
  await expectIndexed(() => ratings.ofMedia(mediaId, 1, 100, 'somebody'))
})

test('ratings of a deleted account stay, with only its id', async () => {
  const { call } = await signedIn()
  const gone = await rater()
  const { _id: mediaId } = await aMedia()
  const { _id: id } = await gone.call(ratingsApi.create, { body: { mediaId, score: 9 } })
  await users.remove(gone.user._id, { actor: SYSTEM })
  expect(await call(ratingsApi.find, { id })).toMatchObject({ userId: gone.user._id, score: 9 })
  expect(await call(mediaApi.find, { id: mediaId })).toMatchObject({ averageRating: 9, ratingCount: 1 })
})

test('class 23: average, count and histogram are exact when many rate, change, delete and restore at once', async () => {
  const { call } = await signedIn()
  const raters = await Promise.all([rater(), rater(), rater(), rater()])
  const { _id: another } = await aMedia()
  const Scores = fc.array(
    fc.integer({ min: 0, max: 100 }).map((tenths) => tenths / 10),
    { minLength: 2, maxLength: 5 },
  )
  await fc.assert(
    fc.asyncProperty(fc.tuple(Scores, Scores, Scores, Scores), async (scores) => {
      const { _id: mediaId } = await aMedia()
      await Promise.all(
        raters.map(async (each, at) => {
          const [first = 0, ...rest] = scores[at] ?? []
          const { _id: id } = await each.call(ratingsApi.create, { body: { mediaId, score: first } })
          for (const score of rest) await each.call(ratingsApi.update, { id, body: { score } })
          await each.call(ratingsApi.remove, { id })
          if (at > 0) await each.call(ratingsApi.restore, { id })
        }),
      )
      const left = scores.slice(1).map((each) => Math.round((each.at(-1) ?? 0) * 10))
      const histogram = Array.from({ length: 11 }, (_, bin) => left.filter((tenths) => Math.round(tenths / 10) === bin))
      expect(await call(mediaApi.find, { id: mediaId })).toMatchObject({
        ratingCount: 3,
        averageRating: left.reduce((sum, tenths) => sum + tenths, 0) / 30,
        ratingHistogram: histogram.map((each) => each.length),
      })
    }),
    { numRuns: 6 },
  )
  expect(await call(mediaApi.find, { id: another })).toMatchObject({ ratingCount: 0, averageRating: 0 })
})

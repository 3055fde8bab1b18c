import { dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { expect, test } from 'vitest'
import { signedIn, startEmpty, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aRating, aTag, mediaInput, mediaTitled } from '#test/factories.ts'

withApp()

test('the statistics are updated with every write', async () => {
  await startEmpty()
  const { call } = await signedIn()
  const [genre, theme] = [await aTag({ type: 'GENRE' }), await aTag({ type: 'THEME' })]
  const first = await aMedia({ tags: [genre, theme] })
  await aMedia({ tags: [genre] })
  await aCharacter({ tags: [theme] })
  expect(await call(dashboardApi.stats)).toEqual({
    mediaCount: 2,
    characterCount: 1,
    tagCount: 2,
    assetCount: 0,
    tagUsage: {
      GENRE: { count: 1, totalUsage: 2 },
      THEME: { count: 1, totalUsage: 2 },
      CHARACTER_TRAIT: { count: 0, totalUsage: 0 },
      CONTENT_WARNING: { count: 0, totalUsage: 0 },
      CUSTOM: { count: 0, totalUsage: 0 },
    },
  })
  await call(mediaApi.update, { id: first._id, body: mediaInput({ tags: [theme] }) })
  await call(mediaApi.remove, { id: first._id })
  expect(await call(dashboardApi.stats)).toMatchObject({
    mediaCount: 1,
    tagUsage: { GENRE: { totalUsage: 1 }, THEME: { totalUsage: 1 } },
  })
})

test('lists activities newest first, by type and by page', async () => {
  const { call, user } = await signedIn()
  await aMedia()
  const { _id: id } = await call(mediaApi.create, {
    body: mediaTitled('Botchan'),
  })
  const rating = await aRating(id, 8)
  // Only a new rating is an activity.
  await call(ratingsApi.update, { id: rating, body: { score: 9 } })
  const recent = await call(dashboardApi.recentActivities)
  expect(recent[0]).toMatchObject({ type: 'RATING_ADDED', entityType: 'Media', entityId: id, title: 'Botchan' })
  expect(recent[0]?.description).toBe('Rating added: Botchan')
  expect(recent.find(({ type, entityId }) => type === 'MEDIA_CREATED' && entityId === id)).toMatchObject({
    type: 'MEDIA_CREATED',
    description: 'Media created: Botchan',
    title: 'Botchan',
    username: user.username,
    userId: user._id,
    isThere: true,
    translations: { en: { name: 'Botchan' } },
  })
  expect(recent.filter(({ type, entityId }) => type === 'RATING_ADDED' && entityId === id)).toHaveLength(1)
  await call(mediaApi.update, { id, body: mediaTitled('Botchan, the Boy') })
  const renamed = (await call(dashboardApi.recentActivities)).filter(({ entityId }) => entityId === id)
  expect(renamed[0]?.description).toBe('Translation updated: Botchan, the Boy')
  expect(renamed.map(({ translations }) => translations?.en?.name)).toEqual(renamed.map(() => 'Botchan, the Boy'))
  await call(mediaApi.remove, { id })
  const later = (await call(dashboardApi.recentActivities)).filter(({ entityId }) => entityId === id)
  expect(later.filter(({ isThere, translations }) => isThere || translations)).toEqual([])
  expect(later.at(-1)?.title).toBe('Botchan')
  await call(mediaApi.restore, { id })
  const created = await call(dashboardApi.activities, { query: { type: 'MEDIA_CREATED', limit: 2 } })
  expect(created.map(({ type }) => type)).toEqual(['MEDIA_CREATED', 'MEDIA_CREATED'])
  expect(created[0]?._id).not.toBe(
    (await call(dashboardApi.activities, { query: { type: 'MEDIA_CREATED', limit: 1, page: 2 } }))[0]?._id,
  )
})

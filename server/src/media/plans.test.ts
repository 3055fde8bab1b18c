import { MEDIA_SORTS, MEDIA_TYPES } from '@mokuroku/contract/media'
import { beforeAll, expect, test } from 'vitest'
import { db, engine, transaction } from '#database/db.ts'
import { findActor, startSession } from '#access/session.ts'
import type { Tables } from '#database/tables.ts'
import { assets } from '#store/assets'
import { characters } from '#store/characters'
import { dashboard } from '#store/dashboard'
import { history } from '#store/history'
import { media } from '#store/media'
import { ratings } from '#store/ratings'
import { search } from '#store/search'
import { tags } from '#store/tags'
import { users } from '#store/users'
import { firstUses } from '#store/uses'
import { ADMIN, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aRating, aTag, aUser, mediaInput, titled } from '#test/factories.ts'
import { analyze, expectIndexed, plansOf, roundTripsOf } from '#test/plans.ts'

withApp()

const SIZE = 4000
const sorts = MEDIA_SORTS.flatMap((sort) => [sort, `-${sort}`] as const)
const types = [undefined, ...MEDIA_TYPES]
const statuses = [undefined, true, false]
const firstPage = { page: 1, limit: 10, sort: '-createdAt' } as const
let known: { media: string; tags: string[]; user: Tables['users'] }

beforeAll(async () => {
  const tagIds = [await aTag(), await aTag({ type: 'THEME' })]
  const user = await aUser()
  for (let at = 0; at < SIZE; at += 500) {
    const numbers = Array.from({ length: 500 }, (_, each) => at + each)
    await db
      .insertInto('media')
      .values(numbers.map((number) => aRow(number, tagIds)))
      .execute()
    await db
      .insertInto('activities')
      .values(numbers.map((number) => anActivity(number)))
      .execute()
  }
  // The rows were inserted without the ledger, so the counter must be, too.
  await db.insertInto('counters').values({ name: 'mediaCount', value: SIZE }).execute()
  const related = await aMedia()
  const { _id } = await aMedia({ tags: tagIds, characters: [await aCharacter()], relatedMedia: [related._id] })
  await aRating(_id, 8)
  known = { media: _id, tags: tagIds, user }
  await analyze()
})

const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const dayOf = (number: number) => new Date(Date.UTC(2000, 0, 1 + number)).toISOString()

function aRow(number: number, tagIds: string[]): Tables['media'] {
  return {
    _id: idOf(number),
    mediaType: MEDIA_TYPES[number % 3] ?? 'ANIME',
    translations: { en: { title: `Title ${number}`, description: '' } },
    isOngoing: number % 4 === 0,
    releaseDate: dayOf((number * 7) % 5000),
    characters: [],
    tags: tagIds,
    cover: '',
    assets: [],
    relatedMedia: [],
    averageRating: number % 10,
    ratingCount: 1,
    ratingSum: number % 10,
    ratingHistogram: [],
    version: 1,
    createdBy: null,
    createdAt: dayOf(Math.floor(number / 3)),
    updatedAt: dayOf((number * 11) % 5000),
    deletedAt: null,
  }
}

const anActivity = (number: number): Tables['activities'] => ({
  _id: idOf(number),
  type: number % 2 === 0 ? 'MEDIA_CREATED' : 'TRANSLATION_UPDATED',
  description: '',
  username: 'someone',
  userId: null,
  entityType: 'Media',
  entityId: idOf(number),
  title: `Title ${number}`,
  createdAt: dayOf(number),
})

test.each(sorts)('a page of the list by %s is read from an index, whatever its filter', async (sort) => {
  const counted = 'as many as the total says exactly'
  const pages = async () => {
    for (const type of types)
      for (const isOngoing of statuses)
        for (const page of [1, SIZE / 10 - 1]) await media.list({ ...firstPage, sort, type, isOngoing, page })
  }
  await expectIndexed(pages, { counted })
})

test.each(sorts)('the pages by %s are the whole list in order, whichever end they are read from', async (sort) => {
  const [column, direction] = [sort.replace('-', '') as 'createdAt', sort.startsWith('-') ? 'desc' : 'asc'] as const
  const rows = await db.selectFrom('media').select('_id').orderBy(column, direction).orderBy('_id', direction).execute()
  const expected = rows.map(({ _id }) => _id)
  const limit = 100
  const last = Math.ceil(expected.length / limit)
  for (const page of [1, 10, 11, 12, last / 2, last / 2 + 1, last - 1, last, last + 1, 1_000_000].map(Math.floor)) {
    const { answer: found } = await media.list({ page, limit, sort })
    expect(found.map(({ _id }) => _id)).toEqual(expected.slice((page - 1) * limit, page * limit))
  }
})

test('a media item and what it links to are read by id', async () => {
  await expectIndexed(() => media.find(known.media))
  await expectIndexed(() => tags.refs(known.tags))
  await expectIndexed(() => assets.refs([known.media]))
  // For each character, its media outside the trash are counted.
  const counted = 'by the key of the links, no more than the `mediaRefs` that the same answer names'
  await expectIndexed(() => characters.ofMedia(known.media, 1, 10), { counted })
  await expectIndexed(() => ratings.ofMedia(known.media, 1, 100))
})

test('the recent items of a user are read from an index', async () => {
  const { actor } = await signedIn()
  await media.create(mediaInput(), { actor })
  const sorted = 'the five hundred writes that a user made last'
  await expectIndexed(() => media.list({ ...firstPage, userId: actor._id }), { sorted })
})

test('search results are read by id', async () => {
  await expectIndexed(() => media.list({ ...firstPage, search: 'Title 77' }), { sorted: 'a thousand matches at most' })
})

test('a search scans no table', async () => {
  for (const text of ['Title 1', '目録', 'Tilte 7'])
    await expectIndexed(() => search.find('Media', text, 10), { sorted: 'as many labels as a stage reads' })
})

test('every step of a save finds its rows by index, including the previous version', async () => {
  const { actor } = await signedIn()
  const { _id: id } = await aMedia({ tags: known.tags })
  const renamed = (title: string, tagIds: string[]) =>
    mediaInput({ translations: { en: { title, description: '' } }, tags: tagIds })
  await expectIndexed(async () => {
    await media.update(id, renamed('Once', known.tags.slice(1)), { actor }, 1)
    await media.update(id, { episodes: 12 }, { actor }, 1)
    await media.remove(id, { actor })
    await media.restore(id, { actor })
  })
})

test.runIf(process.env.ENGINE === 'postgres')(
  'a save of a title takes two round trips before its commit: one to read, and one to write',
  async () => {
    const { actor } = await signedIn()
    const { _id: id } = await aMedia()
    const renamed = (title: string) => mediaInput({ translations: titled(title) })
    await media.update(id, renamed('Warm-up'), { actor }, 1)
    expect(await roundTripsOf(() => media.update(id, renamed('Together'), { actor }, 2))).toBe(2)
  },
)

test('the first use of an entity is one entry of the index for each field, however often it is used', async () => {
  await aCharacter({ tags: known.tags })
  const first = { entityType: 'Media', entityId: known.media }
  const uses = await firstUses('Tag', known.tags)
  expect([...uses]).toEqual(known.tags.map((id) => [id, expect.objectContaining(first)]))
  const one = engine === 'postgres' ? 'Limit' : 'links_to (toId=? AND fromKind=? AND field=?)'
  // Media and characters have tags.
  expect((await plansOf(() => firstUses('Tag', known.tags))).filter((line) => line.includes(one))).toHaveLength(2)
})

test('a change of a translation is found in the history by index', async () => {
  const cell = { entityId: known.media, language: 'en', field: 'title', newValue: 'x' }
  await expectIndexed(() =>
    transaction((tx) => history.markRolledBack(tx, cell, { by: 'me', reason: '', at: dayOf(1) })),
  )
})

test('the dashboard counts and sorts nothing', async () => {
  await expectIndexed(() => dashboard.stats())
  for (const page of [1, 100])
    for (const type of [undefined, 'MEDIA_CREATED'] as const)
      await expectIndexed(() => dashboard.activities(page, 20, type))
})

test('a caller is found by session, and a user who signs in by address', async () => {
  const token = await startSession(known.user, { address: '127.0.0.1', userAgent: 'test' })
  // There are only a few tiers; those with the same required score are sorted by age.
  await expectIndexed(() => findActor(`Bearer ${token}`), { sorted: 'the tiers' })
  await expectIndexed(() => users.withEmail(ADMIN.email))
})

test('a bad query plan is detected', async () => {
  const scan = expectIndexed(() => db.selectFrom('media').select('_id').where('originalTitle', '=', 'x').execute())
  await expect(scan).rejects.toThrow(/SCAN media|Seq Scan on media/)
  const sort = expectIndexed(() =>
    db.selectFrom('media').select('_id').where('deletedAt', 'is', null).orderBy('episodes').limit(1).execute(),
  )
  await expect(sort).rejects.toThrow(/TEMP B-TREE|Sort/)
  const count = expectIndexed(() =>
    db
      .selectFrom('media')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('mediaType', '=', 'ANIME')
      .where('deletedAt', 'is', null)
      .execute(),
  )
  await expect(count).rejects.toThrow('count(')
})

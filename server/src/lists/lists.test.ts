import { languagesApi } from '@mokuroku/contract/languages'
import { charactersApi } from '@mokuroku/contract/characters'
import { kindOf, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { mediaApi, MediaQuery } from '@mokuroku/contract/media'
import { tagsApi } from '@mokuroku/contract/tags'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { db, transaction } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { setCounter } from '#ledger/counters.ts'
import { SYSTEM } from '#access/permissions.ts'
import { newId } from '#lib/ids.ts'
import { lists, NO_COLUMNS } from '#store/lists'
import { media } from '#store/media'
import { search } from '#store/search'
import { app, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aRating, aTag, mediaInput, name, title } from '#test/factories.ts'
import { fieldsOf } from '#test/contract.ts'
import { aPicture, send } from '#test/files.ts'
import { KIND_SAMPLES } from '#test/kinds.ts'
import { analyze, expectIndexed } from '#test/plans.ts'

let genji: string, kokoro: string, botchan: string
let novel: string, classic: string
let cover: string
let editor: Awaited<ReturnType<typeof signedIn>>

/** A small catalogue of the tests of a group. */
function withCatalogue(): void {
  withApp()
  beforeAll(async () => {
    novel = await aTag({ translations: { en: name('Novel') } })
    classic = await aTag({ translations: { en: name('Classic') }, type: 'THEME', status: 'HIDDEN' })
    editor = await signedIn()
    cover = (await send(await aPicture(), 'cover.png', editor)).body._id
    const made = (input: Parameters<typeof mediaInput>[0]) => editor.call(mediaApi.create, { body: mediaInput(input) })
    genji = (
      await made({
        translations: { en: title('The Tale of Genji'), 'zh-Hans': title('源氏物语') },
        tags: [novel, classic],
        cover,
        releaseDate: '1008-11-01T00:00:00.000Z',
        mediaType: 'NOVEL',
      })
    )._id
    kokoro = (
      await made({
        translations: { en: title('Kokoro'), 'zh-Hant': title('心') },
        tags: [novel],
        releaseDate: '1914-09-20T23:59:59.000Z',
        mediaType: 'NOVEL',
      })
    )._id
    botchan = (
      await aMedia({ translations: { en: title('Botchan') }, releaseDate: '1906-04-01T00:00:00.000Z', isOngoing: true })
    )._id
    await aRating(genji, 9)
    await aRating(kokoro, 6)
  })
}

/** The ids of the list, and the X-Total-Count header. */
async function listed(query: string, path = '/api/media', token = editor.token) {
  const answer = await app.inject({ url: `${path}?${query}`, headers: { authorization: `Bearer ${token}` } })
  expect(answer.statusCode).toBe(200)
  const body: unknown = answer.json()
  const rows = (Array.isArray(body) ? body : Object.values(body as object).find(Array.isArray)) as { _id: string }[]
  return { ids: rows.map(({ _id }) => _id), total: answer.headers['x-total-count'] }
}

describe('a list', () => {
  withCatalogue()

  test.each([
    ['language=zh', () => [kokoro, genji]],
    ['language=zh-Hans', () => [genji]],
    ['language=ZH-hans', () => [genji]],
    ['language=ja', () => []],
    ['missing=zh', () => [botchan]],
    ['missing=zh-Hans', () => [botchan, kokoro]],
    ['missing=en', () => []],
    ['tags=$novel', () => [kokoro, genji]],
    ['tags=$novel,$classic', () => [kokoro, genji]],
    ['tags=$novel,$classic&tagsMode=any', () => [kokoro, genji]],
    ['tags=$novel,$classic&tagsMode=all', () => [genji]],
    ['tags=$classic&tagsMode=none', () => [botchan, kokoro]],
    ['tags=$novel,$classic&tagsMode=none', () => [botchan]],
    ['tags=nothing', () => []],
    ['tagsMode=none', () => [botchan, kokoro, genji]],
    ['hasCover=true', () => [genji]],
    ['hasCover=false', () => [botchan, kokoro]],
    ['from=1906-04-01', () => [botchan, kokoro]],
    ['from=1906-04-02', () => [kokoro]],
    ['to=1914-09-20', () => [botchan, kokoro, genji]],
    ['to=1914-09-19', () => [botchan, genji]],
    ['from=1906-04-01&to=1906-04-01', () => [botchan]],
    ['from=1906-04-01&to=9999-12-31', () => [botchan, kokoro]],
    ['from=2000-01-01&to=1900-01-01', () => []],
    ['ratingMin=6', () => [kokoro, genji]],
    ['ratingMin=8.5', () => [genji]],
    ['ratingMin=0', () => [kokoro, genji]],
    ['createdBy=$me', () => [kokoro, genji]],
    ['updatedSince=2999-01-01T00:00:00Z', () => []],
    ['updatedSince=2000-01-01T00:00:00Z', () => [botchan, kokoro, genji]],
    ['finding=missing', () => [botchan]],
    ['finding=missing:zh', () => [botchan]],
    ['finding=missing:en', () => []],
    ['finding=noTags', () => [botchan]],
    ['finding=noCover', () => [botchan, kokoro]],
    ['finding=noCover&tags=$novel', () => [kokoro]],
    ['type=NOVEL&tags=$novel&missing=zh-Hans', () => [kokoro]],
    ['search=Genji&hasCover=true', () => [genji]],
    ['search=Genji&hasCover=false', () => []],
    ['isOngoing=true&hasCover=&tags=', () => [botchan]],
  ] as const)('filters media by %s', async (query, expected) => {
    const address = query.replace('$novel', novel).replace('$classic', classic).replace('$me', editor.actor._id)
    const found = await listed(`sort=-createdAt&${address}`)
    expect(found).toEqual({ ids: expected(), total: String(expected().length) })
    expect(await listed(`sort=createdAt&limit=100&${address}`)).toMatchObject({ ids: expected().toReversed() })
  })

  test('updatedSince includes what was written at that very moment', async () => {
    const { updatedAt } = await db
      .selectFrom('media')
      .select('updatedAt')
      .where('_id', '=', kokoro)
      .executeTakeFirstOrThrow()
    const later = new Date(Date.parse(updatedAt) + 1).toISOString()
    expect((await listed(`updatedSince=${updatedAt}`)).ids).toContain(kokoro)
    expect((await listed(`updatedSince=${later}`)).ids).not.toContain(kokoro)
  })

  test('a page has the total, and a page past the end is empty', async () => {
    expect(await listed('limit=1&page=2&sort=createdAt')).toEqual({ ids: [kokoro], total: '3' })
    expect(await listed('limit=1&page=1&tags=' + novel)).toEqual({ ids: [kokoro], total: '2' })
    expect(await listed('limit=1&page=9&tags=' + novel)).toEqual({ ids: [], total: '2' })
    expect(await listed('limit=2&page=500&language=en')).toEqual({ ids: [], total: '3' })
  })

  test('sorts media by release date and rating, in both directions', async () => {
    expect((await listed('sort=-releaseDate')).ids).toEqual([kokoro, botchan, genji])
    expect((await listed('sort=releaseDate')).ids).toEqual([genji, botchan, kokoro])
    expect((await listed('sort=-averageRating')).ids).toEqual([genji, kokoro, botchan])
    expect((await listed('sort=averageRating')).ids).toEqual([botchan, kokoro, genji])
  })

  test('sorts search results by relevance, which means newest first without a search', async () => {
    expect((await listed('search=Kokoro')).ids[0]).toBe(kokoro)
    expect((await listed('search=Kokoro&sort=relevance')).ids[0]).toBe(kokoro)
    expect((await listed('sort=relevance')).ids).toEqual([botchan, kokoro, genji])
  })

  test('characters and tags accept the same filters as media, for the fields they have', async () => {
    const murasaki = await aCharacter({
      translations: { en: name('Murasaki'), ja: name('紫の上') },
      tags: [classic],
      cover,
    })
    const sensei = await aCharacter({ translations: { en: name('Sensei') } })
    const characters = (query: string) => listed(query, '/api/characters')
    expect(await characters('language=ja')).toEqual({ ids: [murasaki], total: '1' })
    expect(await characters('missing=ja')).toEqual({ ids: [sensei], total: '1' })
    expect(await characters(`tags=${classic}`)).toEqual({ ids: [murasaki], total: '1' })
    expect(await characters('hasCover=false')).toEqual({ ids: [sensei], total: '1' })
    expect((await characters('search=Murasaki')).ids).toEqual([murasaki])
    expect(await characters('sort=createdAt')).toEqual({ ids: [murasaki, sensei], total: '2' })
    const tags = (query: string) => listed(query, '/api/tags')
    expect(await tags('status=HIDDEN')).toEqual({ ids: [classic], total: '1' })
    expect(await tags('type=THEME&missing=zh')).toEqual({ ids: [classic], total: '1' })
    expect(await tags('sort=createdAt&limit=1&skip=1')).toEqual({ ids: [classic], total: '2' })
    const { pagination } = await editor.call(charactersApi.list, { query: { language: 'ja' } })
    expect(pagination).toEqual({ total: 1, pages: 1, page: 1, limit: 10 })
    expect((await editor.call(tagsApi.list, { query: { status: 'HIDDEN' } })).total).toBe(1)
  })

  test.each([
    ['/api/media?tag=x', 'tag'],
    ['/api/media?tags=x&color=%23fff&skip=1', 'color'],
    ['/api/characters?type=ANIME', 'type'],
    ['/api/tags?hasCover=true', 'hasCover'],
    ['/api/media?__proto__=1', '__proto__'],
    ['/api/users?colour=red', 'colour'],
    ['/api/assets?colour=red', 'colour'],
    ['/api/ratings?colour=red', 'colour'],
    ['/api/trash?colour=red', 'colour'],
    ['/api/translation-history/recent?colour=red', 'colour'],
    ['/api/findings?entityType=Media&colour=red', 'colour'],
    ['/api/batches?colour=red', 'colour'],
    ['/api/languages?colour=red', 'colour'],
    ['/api/media?limit=101', 'limit'],
    ['/api/media?from=yesterday', 'from'],
    ['/api/media?from=2023-02-30', 'from'],
    ['/api/media?updatedSince=2023-09-29', 'updatedSince'],
    ['/api/media?ratingMin=11', 'ratingMin'],
    ['/api/media?tagsMode=some', 'tagsMode'],
    ['/api/media?hasCover=yes', 'hasCover'],
    ['/api/media?language=e', 'language'],
    ["/api/media?finding=missing';--", 'finding'],
    ['/api/media?finding=missing:en:fr', 'finding'],
    ['/api/media?finding=unheardOf', 'finding'],
    ['/api/media?finding=missing:e', 'finding'],
    ['/api/media?tags=a&tags=b', 'tags'],
    [`/api/media?tags=${Array.from({ length: 51 }, (_, at) => at).join()}`, 'tags'],
  ])('rejects %s and names the parameter', async (url, path) => {
    const answer = await app.inject({ url, headers: { authorization: `Bearer ${editor.token}` } })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({ errors: expect.arrayContaining([expect.objectContaining({ path })]) })
  })

  test.each(TRANSLATED_KINDS)(
    '%s: every filter of its list is a column of its own or a filter common to all lists',
    (kind) => {
      const { list, update } = KIND_SAMPLES[kind].api
      const { filters = {} } = kindOf(kind)
      const columns = fieldsOf(list.query).filter((each) => !NO_COLUMNS.has(each))
      expect(fieldsOf(update.body)).toEqual(expect.arrayContaining(columns.map((each) => filters[each] ?? each)))
    },
  )

  test('reads matching ids in batches, in the order of ids', async () => {
    const query = { language: 'en' } as const
    const [first = '', ...others] = await lists.matching('Media', query, '', 2)
    expect([first, ...others, ...(await lists.matching('Media', query, others.at(-1) ?? '', 2))]).toEqual(
      [genji, kokoro, botchan].toSorted(),
    )
    expect(await lists.matching('Media', { search: 'Botchan' }, '', 10)).toEqual([botchan])
    expect(await lists.matching('Media', { search: 'nothing of the kind' }, '', 10)).toEqual([])
  })
})

describe('a long list', () => {
  withCatalogue()

  beforeAll(async () => {
    const [one] = await db.selectFrom('media').selectAll().where('_id', '=', botchan).execute()
    if (!one) throw new Error('No media')
    const row = (at: number) => ({ ...one, _id: `${String(at).padStart(8, '0')}-many`, createdBy: SYSTEM._id })
    for (let from = 0; from < 4000; from += 500)
      await db
        .insertInto('media')
        .values(Array.from({ length: 500 }, (_, at) => row(from + at)))
        .execute()
    await analyze()
  })

  test('every list filter is read from an index, whether it matches few rows or many', async () => {
    const counted = 'as many as the total says exactly'
    const sorted = 'the few that a filter leaves'
    const page = (query: object) => media.list(z.parse(MediaQuery, { sort: '-createdAt', ...query }))
    for (const query of [
      { tags: novel },
      { tags: classic, tagsMode: 'none' },
      { language: 'zh' },
      { missing: 'zh' },
      { hasCover: 'true' },
      { hasCover: 'false' },
      { createdBy: SYSTEM._id },
      { updatedSince: '2000-01-01T00:00:00Z' },
      { from: '1990-01-01' },
      { ratingMin: '1' },
    ])
      await expectIndexed(() => page(query), { counted, sorted })
    const ofSystem = await db.selectFrom('media').select('_id').where('createdBy', '=', SYSTEM._id).execute()
    expect((await page({ createdBy: SYSTEM._id })).total).toBe(ofSystem.length)
  })

  test.each([
    [0, '0'],
    [10_000, '10000'],
    [10_001, '10000+'],
    [1_000_000, '10000+'],
  ])('with %d unfiltered rows the total in the header is %s', async (count, said) => {
    await transaction((tx) => setCounter(tx, 'mediaCount', count))
    expect((await listed('')).total).toBe(said)
  })

  test('language filters match the language counts, also for shared titles and titles of symbols', async () => {
    const shared = { title: 'Bleach', description: '' }
    const signs = { title: '？！', description: '' }
    const { _id } = await aMedia({
      translations: { en: shared, fr: { title: 'BLEACH', description: '' }, ko: shared, 'zh-Hans': signs },
      originalTitle: 'Bleach',
    })
    const { _id: without } = await aMedia({ translations: { en: shared, fr: { title: ' ', description: '?' } } })
    for (const tag of ['en', 'fr', 'ko', 'zh-Hans', 'zh']) {
      expect((await listed(`language=${tag}&limit=100`)).ids).toContain(_id)
      expect((await listed(`missing=${tag}&limit=100`)).ids).not.toContain(_id)
    }
    expect((await listed('missing=fr&limit=100')).ids).toContain(without)
    const { data } = await editor.call(languagesApi.list)
    const present = await db.selectFrom('media').select('_id').where('deletedAt', 'is', null).execute()
    // Other tests insert rows directly, which the counters do not include.
    await transaction((tx) => setCounter(tx, 'mediaCount', present.length))
    for (const { tag, Media } of data) {
      const [has, lacks] = [await listed(`language=${tag}&limit=1`), await listed(`missing=${tag}&limit=1`)]
      expect([tag, has.total, lacks.total]).toEqual([tag, String(Media.filled), String(present.length - Media.filled)])
    }
  })
})

describe('a search with more matches than are ranked', () => {
  withCatalogue()

  const ZEBRAS = 1200
  let [zebras, striped]: [string[], string] = [[], '']

  beforeAll(async () => {
    striped = await aTag()
    zebras = Array.from({ length: ZEBRAS }, () => newId()).toSorted()
    const made = zebras.map((id, at) => ({
      id,
      // The longest titles are ranked last.
      input: mediaInput({
        translations: { en: title(`Zebra ${at}`) },
        tags: at < 1150 ? [] : [striped],
      }),
      context: { actor: SYSTEM, quiet: true },
    }))
    await transaction((tx) => media.createManyIn(tx, made))
    await analyze()
  })

  test('has an exact total, and the right order, beside any other filter', async () => {
    expect((await listed('search=zebra&limit=1')).total).toBe(String(ZEBRAS))
    expect(await listed('search=zebra&sort=-createdAt&limit=2')).toEqual({
      ids: zebras.slice(-2).toReversed(),
      total: String(ZEBRAS),
    })
    for (const sort of ['relevance', 'createdAt'])
      expect(await listed(`search=zebra&tags=${striped}&limit=1&page=50&sort=${sort}`)).toMatchObject({ total: '50' })
    expect((await listed(`search=zebra&createdBy=${editor.actor._id}`)).total).toBe('0')
  })

  test.each([
    { narrow: 2000, total: 10_000, walked: 50_000 },
    { narrow: 0, total: 10_000, walked: 50_000 },
    { narrow: 0, total: 100, walked: 50_000 },
    { narrow: 0, total: 100, walked: 5 },
  ])('its pages by relevance are all matches, the best first (%j)', async (bounds) => {
    const [pages, totals]: [string[], Set<boolean>] = [[], new Set()]
    for (let page = 1; page <= 13; page++) {
      const found = await lists.page('Media', { search: 'zebra', limit: 100, page }, bounds)
      pages.push(...found.ids)
      totals.add(found.total === ZEBRAS || found.total > bounds.total)
    }
    const { matches } = await search.find('Media', 'zebra', 500)
    expect(pages.slice(0, 500)).toEqual(matches.map(({ entityId }) => entityId))
    expect(pages.toSorted()).toEqual(zebras)
    expect([...totals]).toEqual([true])
  })

  test('all matches are exported and changed', async () => {
    const { ids } = await listed('search=zebra&limit=100&page=12')
    expect(ids).toHaveLength(100)
    const all = await lists.matching('Media', { search: 'zebra' }, '', 5000)
    expect(all).toEqual(zebras)
    expect(await lists.matching('Media', { search: 'zebra', tags: striped }, '', 5000)).toHaveLength(50)
    expect(await lists.matching('Media', { search: 'zebra' }, all[1000] ?? '', 5000)).toEqual(all.slice(1001))
  })

  test('finds among more than are listed those that meet a filter', async () => {
    const last = zebras.slice(-50)
    const filters = [{ where: inList('_id', last) }]
    const ids = await search.ids('Media', 'zebra', { filters, limit: 60 })
    expect(ids).toEqual(expect.arrayContaining(last))
  })

  test('is read from the n-gram index', async () => {
    const why = { sorted: 'at most as many as are counted', counted: 'at most as many as are counted' }
    for (const query of [{}, { sort: '-createdAt' }, { tags: striped }, { hasCover: false }])
      for (const bounds of [undefined, { narrow: 0, total: 100, walked: 50_000 }])
        await expectIndexed(() => lists.page('Media', { search: 'zebra', limit: 10, ...query }, bounds), why)
    await expectIndexed(() => lists.matching('Media', { search: 'zebra' }, '', 100), why)
  })
})

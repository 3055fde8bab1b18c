import { MediaQuery } from '@mokuroku/contract/media'
import { beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { SYSTEM } from '#access/permissions.ts'
import { db, engine } from '#database/db.ts'
import { lists } from '#store/lists'
import { findings } from '#store/findings'
import { signedIn, withApp } from '#test/app.ts'
import { aMedia, aRating, aTag, title } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { analyze, expectIndexed, plansOf } from '#test/plans.ts'
import { rebuildFindings } from '../src/findings/rebuild.ts'
import { between, pick, seeded } from '../src/sample/seed.ts'

withApp()

const COUNT = 40
const random = seeded('what several filters leave')

let tags: string[]
let editor: Awaited<ReturnType<typeof signedIn>>
/** Which filters each media item meets, computed without the database. */
let catalogue: { _id: string; createdAt: string; meets: Record<string, boolean> }[]
let filters: Record<string, Record<string, string>>

beforeAll(async () => {
  editor = await signedIn()
  tags = [await aTag(), await aTag()]
  const [one = '', two = ''] = tags
  const picture = (await send(await aPicture(), 'cover.png', editor)).body._id
  filters = {
    noCover: { finding: 'noCover' },
    missing: { finding: 'missing' },
    missingZh: { finding: 'missing:zh' },
    has: { language: 'zh' },
    lacks: { missing: 'zh' },
    lacksUnwanted: { missing: 'fr' },
    both: { tags: tags.join(), tagsMode: 'all' },
    either: { tags: tags.join(), tagsMode: 'any' },
    neither: { tags: one, tagsMode: 'none' },
    covered: { hasCover: 'true' },
    uncovered: { hasCover: 'false' },
    rated: { ratingMin: '0' },
    wellRated: { ratingMin: '7' },
    own: { createdBy: editor.actor._id },
    novel: { type: 'NOVEL' },
    old: { to: '2000-12-31' },
  }
  catalogue = []
  for (let at = 0; at < COUNT; at++) catalogue.push(await anEntry(picture, one, two))
  await rebuildFindings(new AbortController().signal)
})

async function anEntry(picture: string, one: string, two: string) {
  const is = (share: number) => random() < share
  const [isOwn, isCovered, isNovel, isOld] = [is(0.5), is(0.5), is(0.5), is(0.5)]
  const [hasChinese, hasFrench, isDismissed] = [is(0.5), is(0.2), is(0.2)]
  const score = is(0.5) ? between(random, 0, 10) : undefined
  const own = tags.filter(() => is(0.5))
  const { _id, createdAt } = await aMedia(
    {
      mediaType: isNovel ? 'NOVEL' : 'MANGA',
      translations: {
        en: title(`No. ${random()}`),
        ...(hasChinese && { [pick(random, ['zh-Hans', 'zh'])]: title('少爷') }),
        ...(hasFrench && { fr: title('Le garçon') }),
      },
      releaseDate: isOld ? '1999-01-01T00:00:00.000Z' : '2020-01-01T00:00:00.000Z',
      tags: own,
      ...(isCovered && { cover: picture }),
    },
    { actor: isOwn ? editor.actor : SYSTEM },
  )
  if (score !== undefined) await aRating(_id, score)
  const isForgiven = isDismissed && !hasChinese
  if (isForgiven) await findings.dismiss({ entityId: _id, code: 'missing', language: 'zh' }, SYSTEM)
  const isFound = !hasChinese && !isForgiven
  return {
    _id,
    createdAt,
    meets: {
      noCover: !isCovered,
      missing: isFound,
      missingZh: isFound,
      has: hasChinese,
      lacks: !hasChinese,
      lacksUnwanted: !hasFrench,
      both: own.includes(one) && own.includes(two),
      either: own.length > 0,
      neither: !own.includes(one),
      covered: isCovered,
      uncovered: !isCovered,
      rated: score !== undefined,
      wellRated: (score ?? -1) >= 7,
      own: isOwn,
      novel: isNovel,
      old: isOld,
    },
  }
}

/** Random filters, without using a parameter twice. */
function someFilters(): string[] {
  const names = Object.keys(filters).filter(() => random() < 0.3)
  const taken = new Set<string>()
  return names.filter((name) => {
    const parameters = Object.keys(filters[name] ?? {})
    if (parameters.some((each) => taken.has(each))) return false
    for (const each of parameters) taken.add(each)
    return true
  })
}

test('returns the right page and total for every combination of filters and every query strategy', async () => {
  let checked = 0
  while (checked < 150) {
    const names = someFilters()
    if (names.length === 0) continue
    checked++
    const sort = pick(random, ['createdAt', '-createdAt'])
    const inOrder = sort === 'createdAt' ? catalogue : catalogue.toReversed()
    const expected = inOrder.filter(({ meets }) => names.every((name) => meets[name])).map(({ _id }) => _id)
    const [limit, page] = [between(random, 1, 12), between(random, 1, 3)]
    const query = z.parse(MediaQuery, {
      ...Object.assign({}, ...names.map((name) => filters[name])),
      sort,
      limit: String(limit),
      page: String(page),
    })
    const ids = expected.slice((page - 1) * limit, page * limit)
    for (const bounds of [
      { narrow: 2000, total: 10_000, walked: 50_000 },
      { narrow: 0, total: 10_000, walked: 50_000 },
      { narrow: 0, total: 3, walked: 5 },
      { narrow: 0, total: 3, walked: 50_000 },
    ]) {
      const found = await lists.page('Media', query, bounds)
      expect({ names, bounds, ids: found.ids }).toEqual({ names, bounds, ids })
      const isExact = found.total === expected.length
      expect({
        names,
        bounds,
        isSaid: isExact || (found.total > bounds.total && expected.length > bounds.total),
      }).toEqual({ names, bounds, isSaid: true })
    }
  }
})

test('answers a filter for a missing language from the counters if no media item lacks it', async () => {
  await db.insertInto('counters').values({ name: 'filledCount.Media.ko', value: COUNT }).execute()
  expect(await lists.page('Media', z.parse(MediaQuery, { missing: 'ko' }))).toEqual({ ids: [], total: 0 })
  await db.deleteFrom('counters').where('name', '=', 'filledCount.Media.ko').execute()
})

test('combines two broad filters by index, without scanning the table', async () => {
  await analyze()
  const bounds = { narrow: 0, total: 3, walked: 5 }
  const [counted, sorted] = ['no further than to find the narrowest', 'what lies too far down in the list']
  for (const names of [
    ['noCover', 'covered'],
    ['missingZh', 'uncovered'],
    ['missingZh', 'novel'],
    ['lacks', 'covered'],
    ['wellRated', 'own'],
    ['both', 'uncovered'],
  ]) {
    const query = z.parse(MediaQuery, Object.assign({ sort: '-createdAt' }, ...names.map((name) => filters[name])))
    await expectIndexed(() => lists.page('Media', query, bounds), { counted, sorted })
    // The rows with their texts are not read. PostgreSQL plans by table size, for which forty rows are too few.
    if (engine === 'postgres') continue
    const plans = await plansOf(() => lists.page('Media', query, { narrow: 0, total: 10_000, walked: 5 }))
    expect(plans.some((line) => line.startsWith('SEARCH media USING COVERING INDEX media_facts'))).toBe(true)
    expect(plans.filter((line) => /media_pkey|sqlite_autoindex_media/.test(line))).toEqual([])
  }
})

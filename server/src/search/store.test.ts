import { searchApi } from '@mokuroku/contract/search'
import { expect, onTestFinished, test } from 'vitest'
import { db, engine, transaction } from '#database/db.ts'
import { filtersOn, intersectionIds } from '#database/intersection.ts'
import { SYSTEM } from '#access/permissions.ts'
import { aCharacter, aMedia, aTag, mediaTitled } from '#test/factories.ts'
import { idle, signedIn, withApp } from '#test/app.ts'
import { withDictionary } from '#test/dictionary.ts'
import { analyze, expectIndexed, fullOfLabels, keptPlansOf, statementsOf } from '#test/plans.ts'
import { newId } from '#lib/ids.ts'
import { media } from '#store/media'
import { publishJobs } from '#jobs/signal.ts'
import { matchFilter, shortestBeginning } from './labelStore.ts'
import { REBUILD, VERSION } from './progress.ts'
import { bringUpToDate, rebuildLater, rebuildSearch } from './rebuild.ts'
import { search } from './store.ts'

withApp()
withDictionary()

const context = { actor: SYSTEM }
const titled = (titles: Record<string, string>, originalTitle?: string) =>
  aMedia({
    translations: Object.fromEntries(Object.entries(titles).map(([tag, title]) => [tag, { title, description: '' }])),
    ...(originalTitle !== undefined && { originalTitle }),
  })

const found = async (q: string, limit = 10) => {
  const { matches } = await search.find('Media', q, limit)
  return matches.map(({ kind, text }) => `${kind} ${text}`)
}
const labels = (entityId: string) =>
  db.selectFrom('labels').selectAll().where('entityId', '=', entityId).orderBy('id').execute()

test('finds a title in every language, and returns which one matched', async () => {
  const { _id } = await titled({ en: 'Attack on Titan', ja: '進撃の巨人', 'zh-Hans': '进击的巨人', th: 'ผ่าพิภพไททัน' })
  const cases = [
    ['attack on titan', 'en', 'exact'],
    ['ATTACK', 'en', 'prefix'],
    ['titan', 'en', 'inside'],
    ['titan attack', 'en', 'inside'],
    ['atack titan', 'en', 'typo'],
    ['進擊的巨人', 'zh-Hans', 'exact'],
    ['進撃', 'ja', 'prefix'],
    ['の巨人', 'ja', 'inside'],
    ['พิภพ', 'th', 'inside'],
  ] as const
  for (const [q, language, kind] of cases) {
    const [match] = (await search.find('Media', q, 10)).matches
    expect({ q, ...match }).toMatchObject({ q, entityId: _id, language, kind })
  }
})

test('finds a Korean title by its initial consonants, and no other title for a whole word', async () => {
  const { _id } = await titled({ ko: '사랑의 불시착' })
  const { _id: other } = await titled({ ko: '소리의 비상' })
  const idsOf = async (q: string) => (await search.find('Media', q, 10)).matches.map(({ entityId }) => entityId)
  for (const q of ['ㅅㄹㅇㅂㅅㅊ', 'ㅂㅅㅊ', 'ㅅㄹㅇ ㅂ']) expect([q, ...(await idsOf(q))]).toContain(_id)
  expect((await idsOf('ㅅㄹ')).toSorted()).toEqual([_id, other].toSorted())
  expect(await idsOf('사랑')).toEqual([_id])
  const [match] = (await search.find('Media', 'ㅅㄹㅇ', 10)).matches
  expect(match).toMatchObject({ language: 'ko', kind: 'prefix' })
})

test('a save that changes no name does not touch the index', async () => {
  const { _id } = await titled({ ja: 'こころ' }, 'こころ')
  const before = await labels(_id)
  expect(before).not.toEqual([])
  await media.update(
    _id,
    { isOngoing: true, translations: { ja: { title: 'こころ', description: 'A novel.' } } },
    context,
  )
  expect(await labels(_id)).toEqual(before)
  // A save does not check for missing rows: only a rebuild, or another name, writes them.
  await db.deleteFrom('labels').where('entityId', '=', _id).execute()
  await media.update(_id, { isOngoing: false }, context)
  expect(await labels(_id)).toEqual([])
  await media.update(_id, { originalTitle: '心' }, context)
  expect((await labels(_id)).map(({ text }) => text)).toEqual(expect.arrayContaining(['こころ', '心']))
})

test('returns entries by id in the form of search hits, without those in the trash', async () => {
  const { call, actor } = await signedIn({ role: 'user' })
  const [one, other] = [await titled({ ja: 'こころ' }, 'こころ'), await titled({ en: 'Botchan' })]
  const tag = await aTag()
  await media.remove(other._id, context)
  const ids = `${other._id},${one._id},${tag},nothing`
  const { data } = await call(searchApi.entries, { query: { indexName: 'media', ids } })
  expect(data).toMatchObject([{ _id: one._id, originalTitle: 'こころ', mediaType: one.mediaType, cover: '' }])
  const tags = await call(searchApi.entries, { query: { indexName: 'tags', ids } })
  expect(tags.data.map(({ _id }) => _id)).toEqual([tag])
  const people = await call(searchApi.entries, { query: { indexName: 'users', ids: actor._id } })
  expect(JSON.stringify(people)).not.toContain('@')
  const many = Array.from({ length: 101 }, (_, at) => `id${at}`).join(',')
  for (const query of [{ indexName: 'media', ids: many }, { indexName: 'ratings', ids }, { indexName: 'media' }])
    await expect(call(searchApi.entries, { query: query as never })).rejects.toMatchObject({ status: 400 })
})

test('ignores differences of kana, romaji, width and accents', async () => {
  await titled({ ja: 'ぼっち・ざ・ろっく！', en: 'BOCCHI THE ROCK!' })
  await titled({ fr: 'Les Mystérieuses Cités d’or' })
  const queries = ['ボッチ', 'ﾎﾞｯﾁ', 'botchi za rokku', 'bocchizarokku', 'ＢＯＣＣＨＩ']
  for (const q of queries) expect([q, ...(await found(q))]).toHaveLength(2)
  expect(await found('mysterieuses cites dor')).toEqual(['inside Les Mystérieuses Cités d’or'])
})

test('a single character matches whole texts and prefixes only', async () => {
  await titled({ ja: '蟲師' })
  await titled({ ja: '害虫' })
  expect(await found('虫')).toEqual(['prefix 蟲師'])
})

test('finds new texts at once, and removed ones no longer', async () => {
  const { _id } = await titled({ en: 'Zankyou no Terror', ja: '残響のテロル' })
  const [kept] = await labels(_id)
  await media.update(
    _id,
    {
      translations: {
        en: { title: 'Zankyou no Terror', description: '' },
        de: { title: 'Schwarzweißwurst', description: '' },
      },
    },
    context,
  )
  expect(await found('残響')).toEqual([])
  expect(await found('schwarzweisswurst')).toEqual(['exact Schwarzweißwurst'])
  expect((await labels(_id))[0]).toEqual(kept)
  await media.remove(_id, context)
  expect(await found('schwarzweiss')).toEqual([])
  expect(await labels(_id)).toEqual([])
  await media.restore(_id, context)
  expect(await found('schwarzweiss')).toEqual(['prefix Schwarzweißwurst'])
})

test('a failed write leaves the index unchanged', async () => {
  const failing = transaction(async (tx) => {
    await search.index(tx, 'Media', 'nobody', [], [{ language: 'en', text: 'Quixotic Failure' }])
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await found('quixotic')).toEqual([])
})

test('searches each kind separately', async () => {
  const id = await aCharacter({ translations: { en: { name: 'Wolfsbane', description: '' } }, originalName: '狼' })
  await aTag({ translations: { en: { name: 'Wolfsbane', description: '' } } })
  expect((await search.find('Character', 'olfsb', 10)).matches).toMatchObject([{ entityId: id, kind: 'inside' }])
  expect((await search.find('Tag', 'wolfsbnae', 10)).matches).toHaveLength(1)
  expect(await found('wolfsbane')).toEqual([])
})

test('finds the shortest of many texts that contain a word, whatever the limit', async () => {
  const texts = ['Zinc quillwort', ...Array.from({ length: 250 }, (_, at) => `A long quillwort of number ${at}`)]
  const entities = texts.map((text, at) => ({ id: `quillwort-${at}`, labels: [{ language: 'en', text }] }))
  await transaction((tx) => search.add(tx, 'Media', entities))
  for (const limit of [1, 10, 50]) {
    const { matches } = await search.find('Media', 'quillwort', limit)
    expect([limit, matches.length, matches[0]?.entityId]).toEqual([limit, limit, 'quillwort-0'])
  }
})

test('returns no more matches than the limit, in a stable order', async () => {
  for (let at = 0; at < 30; at++) await titled({ en: `The ${String.fromCharCode(97 + at)}x Chronicle ${at}` })
  const first = await found('chronicle', 5)
  expect(first).toHaveLength(5)
  expect(await found('chronicle', 5)).toEqual(first)
  expect(await found('chronicle', 100)).toHaveLength(30)
})

test('a short page of many matches is the start of a longer one', async () => {
  const words = [
    'Garden',
    'of',
    'Evergarden',
    'Violet',
    'gardens',
    'の庭',
    'ガーデン',
    'ライト',
    'light',
    'Twilight',
    'ひかり',
    'Hikari',
  ]
  const titleOf = (at: number) =>
    Array.from({ length: 1 + (at % 5) }, (_, place) => words[(at * 7 + place * (1 + (at % 3))) % words.length]).join(
      ' ',
    )
  const texts = Array.from(
    { length: 150 },
    (_, at) => `${at % 4 === 0 ? '' : 'The '}${titleOf(at)}${at % 9 === 0 ? ` ${at}` : ''}`,
  )
  const entities = texts.map((text, at) => ({ id: `garden-${at}`, labels: [{ language: 'en', text }] }))
  await transaction((tx) => search.add(tx, 'Media', entities))
  for (const q of ['garden', 'light', 'arden', 'hikari', 'ガーデン', 'ライト', 'の庭', 'of', 'violet garden', 'ga']) {
    const { matches: long } = await search.find('Media', q, 60)
    for (const limit of [1, 5, 20]) {
      const { matches } = await search.find('Media', q, limit)
      expect([q, limit, ...matches]).toEqual([q, limit, ...long.slice(0, limit)])
    }
  }
})

test('a single character beside words selects one text of hundreds, in any script', async () => {
  const cases = [
    { text: 'Quiet Harbour of Dawn', last: ' Z', q: 'harbour quiet z' },
    { text: '静かな北の図書館', last: ' 山', q: '北の図書館 山' },
    { text: '寂静的灯笼车站', last: '：绿', q: '灯笼车站 绿' },
    { text: 'Тихая гавань', last: ' Ю', q: 'гавань ю' },
  ]
  for (const { text, last, q } of cases) {
    const texts = [...Array.from({ length: 300 }, () => text), text + last]
    const entities = texts.map((each, at) => ({ id: `${text} ${at}`, labels: [{ language: 'x-one', text: each }] }))
    await transaction((tx) => search.add(tx, 'Media', entities))
    expect(await found(q)).toEqual([`inside ${text}${last}`])
  }
})

test('ranks the shortest prefix matches first, however many labels an entity has', async () => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`x-n${at}`, `Zeta ${at}`]))
  const first = await titled({ en: 'Zeta', ...many })
  const others = []
  for (let at = 0; at < 10; at++)
    others.push(await titled({ en: `Zeta and all the rest of it ${'of it '.repeat(9 - at)}` }))
  const { matches } = await search.find('Media', 'zeta', 10)
  expect(matches.map(({ entityId }) => entityId)).toEqual(
    [first, ...others.toReversed()].slice(0, 10).map(({ _id }) => _id),
  )
  const inOne = await search.find('Media', 'zeta', 10, 'x-n7')
  expect(inOne.matches.map(({ entityId }) => entityId)).toEqual([first._id])
})

test('ranks prefix matches first, however many readings precede them in the index', async () => {
  // In the index, "电气nookesutora" is before "电气のおけすとら", and labels that contain the query were added first.
  const texts = [
    ...Array.from({ length: 900 }, (_, at) => `月電気${String.fromCodePoint(0x4e00 + at)}`),
    ...Array.from({ length: 250 }, (_, at) => `電気のオーケストラ ${at}`),
  ]
  const entities = texts.map((text, at) => ({ id: `electric ${at}`, labels: [{ language: 'ja', text }] }))
  await transaction((tx) => search.add(tx, 'Media', entities))
  expect(await found('電気')).toEqual(
    Array.from({ length: 10 }, () => expect.stringMatching(/^prefix 電気のオーケストラ /)),
  )
})

test('ranks an exact match by another spelling before a full page of prefix matches', async () => {
  for (let at = 0; at < 12; at++) await titled({ ja: `さくらの話${at}` })
  await titled({ en: 'Sakura' })
  const all = await found('さくら')
  expect(all).toHaveLength(10)
  expect(all[0]).toBe('exact Sakura')
})

test('finds a text with Han characters by another spelling of its kana, if nothing else matches', async () => {
  await titled({ ja: 'きれいなはなぢの海' })
  expect(await found('れいなはなじの海')).toEqual(['inside きれいなはなぢの海'])
})

test('matches only consecutive characters of a text', async () => {
  await titled({ en: 'Lantern of Paper Moons' })
  await titled({ en: 'Lanmo pa rnofpetepern perm oons' })
  expect(await found('ernofpapermo')).toEqual(['inside Lantern of Paper Moons'])
})

test('accepts any text as a query', async () => {
  const queries = [
    '',
    ' ',
    '"',
    "' OR 1=1",
    'a AND b',
    '*',
    'NEAR(a b)',
    '\u0000',
    '\ud800',
    '👍🏽',
    ':*',
    '<->',
    '%',
    '_'.repeat(200),
    'あ'.repeat(200),
    'zz zzzz zzzzz',
  ]
  for (const q of queries) expect({ q, ...(await search.find('Media', q, 10)) }).toMatchObject({ q, status: 'ready' })
})

test('lists the ids of more matches than are ranked, the best first', async () => {
  const entities = Array.from({ length: 1500 }, (_, at) => ({
    id: `scan ${at}`,
    labels: [{ language: '', text: `Scan of page ${at}.png` }],
  }))
  await transaction((tx) => search.add(tx, 'Asset', entities))
  const ids = await search.ids('Asset', 'scan')
  expect(ids.toSorted()).toEqual(entities.map(({ id }) => id).toSorted())
  const { matches, isCut } = await search.find('Asset', 'scan', 1000)
  expect(ids.slice(0, 1000)).toEqual(matches.map(({ entityId }) => entityId))
  expect(isCut).toBe(true)
  expect((await search.find('Asset', 'page 1499', 20)).isCut).toBe(false)
  const another = { id: 'another', labels: [{ language: 'email', text: 'scan@example.org' }] }
  await transaction((tx) => search.add(tx, 'Asset', [another]))
  expect((await search.ids('Asset', 'scan')).toSorted()).toEqual(['another', ...ids.toSorted()])
  expect((await search.ids('Asset', 'scan', { language: '' })).toSorted()).toEqual(ids.toSorted())
})

test('matches are counted once, and on SQLite by one query, however many labels of an entity match', async () => {
  const languages = ['cs', 'da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'sv']
  const titles = Object.fromEntries(languages.map((tag) => [tag, 'Okapi']))
  for (let at = 0; at < 30; at++) await titled(titles)
  const { ids } = matchFilter('Media', 'okapi')
  for (const rest of [[], filtersOn<'media'>((row) => [row('mediaType', '=', 'ANIME')])])
    for (const limit of [20, 100]) {
      let counted: string[] = []
      const work = async () => (counted = await intersectionIds('Media', { ids, rest }, limit))
      const statements = await statementsOf(work)
      if (engine === 'sqlite') expect(statements).toBe(1)
      expect(counted).toHaveLength(Math.min(30, limit + 1))
      expect(new Set(counted).size).toBe(counted.length)
    }
})

test('finds the entities of many names, however many languages share each name', async () => {
  const names = Array.from({ length: 100 }, (_, at) => `Kin Tarō ${at}`)
  const named = (text: string) => Array.from({ length: 25 }, (_, at) => ({ language: `x-n${at}`, text }))
  const entities = names.map((text, at) => ({ id: `tale ${at}`, labels: named(text) }))
  const namesake = { id: 'the last', labels: [{ language: 'en', text: 'KIN TARO 3' }] }
  await transaction((tx) => search.add(tx, 'Character', [...entities, namesake]))
  const byName = await search.named(db, 'Character', names)
  await analyze()
  await expectIndexed(() => search.named(db, 'Character', names), { sorted: 'the labels found' })
  const ids = names.map((name) => byName.get(name)?.map(({ entityId }) => entityId))
  expect(ids).toEqual(entities.map(({ id }, at) => (at === 3 ? [id, 'the last'] : [id])))
})

test('of an entity’s equal labels, those that were added first are the shortest', async () => {
  const same = ['x-a', 'x-b', 'x-c'].map((language) => ({ language, text: 'Sameness' }))
  await transaction((tx) => search.add(tx, 'Tag', [{ id: 'sameness', labels: same }]))
  // PostgreSQL then reads it last.
  await db.updateTable('labels').set({ language: 'x-first' }).where('language', '=', 'x-a').execute()
  const shortest = await shortestBeginning('Tag', 'sameness', '', 3, 2)
  expect(new Set(shortest.map(({ language }) => language))).toEqual(new Set(['x-first', 'x-b']))
})

test('a rebuild repairs the index and reports progress, and a search says that it is running', async () => {
  const { _id } = await titled({ en: 'Gyakkyou Burai Kaiji' })
  const { _id: trashed } = await titled({ en: 'Gyakkyou Two' })
  await media.remove(trashed, context)
  const before = await found('gyakkyou')
  await db.deleteFrom('labels').where('entityId', '=', _id).execute()
  await transaction((tx) => search.index(tx, 'Media', 'gone', [], [{ language: 'en', text: 'Gyakkyou Orphan' }]))
  expect(await found('gyakkyou')).toEqual(['prefix Gyakkyou Orphan'])

  const progress: number[] = []
  const searches: ReturnType<typeof search.find>[] = []
  await rebuildSearch((done, total) => {
    progress.push(done / total)
    searches.push(search.find('Media', 'gyakkyou', 10))
  })
  expect((await searches[0])?.status).toBe('indexing')
  expect((await search.find('Media', 'gyakkyou', 10)).status).toBe('ready')
  expect(progress.at(-1)).toBe(1)
  expect(await found('gyakkyou')).toEqual(before)
  expect(await found('kyou bura')).toEqual(['inside Gyakkyou Burai Kaiji'])
})

test('a rebuild keeps the texts of an entity that is being created when it starts', async () => {
  // Only PostgreSQL has concurrent writers.
  if (engine !== 'postgres') return
  const [written, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const id = newId()
  const creating = transaction(async (tx) => {
    await media.createIn(tx, id, mediaTitled('Shirokuma'), context)
    written.resolve()
    await mayEnd.promise
  })
  await written.promise
  // Its labels have higher ids, but are committed first.
  await titled({ en: 'Kurokuma' })
  await rebuildSearch(() => mayEnd.resolve())
  await creating
  expect(await found('shirokuma')).toEqual(['exact Shirokuma'])
  await rebuildSearch()
  expect(await found('shirokuma')).toEqual(['exact Shirokuma'])
})

test('a rebuild drops the labels of any number of names in one step', async () => {
  const { _id } = await titled({ en: 'Kuchinashi' })
  const ids = [...Array.from({ length: 70_000 }, (_, at) => -1 - at), ...(await labels(_id)).map(({ id }) => id)]
  await transaction(async (tx) => search.drop(tx, ids))
  expect(await labels(_id)).toEqual([])
  expect(await found('kuchinashi')).toEqual([])
})

test('an interrupted rebuild resumes where it stopped, and restarts if the index version differs', async () => {
  const { _id } = await titled({ en: 'Ookami Kodomo' })
  const ids = async () => (await labels(_id)).map(({ id }) => id)
  const takeUp = async (payload: Record<string, unknown>) => {
    await db.updateTable('jobs').set({ state: 'queued', payload }).where('_id', '=', REBUILD).execute()
    publishJobs()
    await idle()
    return ids()
  }
  await transaction(rebuildLater)
  await idle()
  const before = await ids()
  expect(await takeUp({ version: VERSION, before: 0, kind: 'Character', cursor: '' })).toEqual(before)
  expect(await takeUp({ version: VERSION - 1, before: 0, kind: 'Character', cursor: '' })).not.toEqual(before)
})

test('rebuilds the index at start only if its version differs', async () => {
  const { _id } = await titled({ en: 'Ookami no Kuni' })
  const ids = async () => (await labels(_id)).map(({ id }) => id)
  const start = async () => {
    await bringUpToDate()
    await idle()
    return ids()
  }
  await db
    .updateTable('counters')
    .set({ value: VERSION - 1 })
    .where('name', '=', 'searchVersion')
    .execute()
  const before = await ids()
  const after = await start()
  expect(after).not.toEqual(before)
  expect(await start()).toEqual(after)
})

test('a cached plan of PostgreSQL uses the n-gram index and does not scan the labels', async () => {
  if (engine !== 'postgres') return
  onTestFinished(await fullOfLabels())
  const plans = (await keptPlansOf(() => search.find('Media', 'walked', 10))).join('\n')
  expect(plans).toContain('labels_grams')
  expect(plans).not.toContain('Seq Scan on labels')
})

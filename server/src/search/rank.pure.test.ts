import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chars } from './chars.ts'
import { compact, variants } from './fold.ts'
import { parseQuery, type Candidate, ranking } from './rank.ts'
import { distance, distanceToPart, neighbours } from './typo.ts'

const labels = (texts: string[]): Candidate[] =>
  texts.flatMap((text, at) =>
    variants(text).map((each) => ({ entityId: `e${at}`, language: 'en', text, compact: compact(each) })),
  )

function rank(query: string, candidates: Candidate[], limit: number) {
  const ranked = ranking(parseQuery(query))
  for (const candidate of candidates) ranked.add(candidate)
  return ranked.first(limit)
}

const found = (query: string, ...texts: string[]) =>
  rank(query, labels(texts), 10).map(({ text, kind }) => `${kind} ${text}`)

test('matches are ordered by kind, then word start, then length', () => {
  expect(found('one', 'The Lonely One', 'Clone', 'One Piece', 'One', 'Ones')).toEqual([
    'exact One',
    'prefix Ones',
    'prefix One Piece',
    'inside The Lonely One',
    'inside Clone',
  ])
})

test.each([
  ['銀河', ['prefix 銀河鉄道の夜', 'prefix 银河天使', 'prefix 银河铁道之夜']],
  ['银河', ['prefix 银河天使', 'prefix 银河铁道之夜', 'prefix 銀河鉄道の夜']],
])('%s finds titles with these forms of the characters first', (query, titles) => {
  expect(found(query, '银河天使', '銀河鉄道の夜', '银河铁道之夜')).toEqual(titles)
})

test('a single character is found at the beginning only', () => {
  expect(found('o', 'Clone', 'Ones', 'O')).toEqual(['exact O', 'prefix Ones'])
})

test('ranks an entity by its best label, and returns the language of that label', () => {
  const both = ['Attack on Titan', '進撃の巨人'].map((text, at) => ({
    entityId: 'e',
    language: ['en', 'ja'][at] ?? '',
    text,
    compact: compact(variants(text)[0] ?? ''),
  }))
  expect(rank('进击', both, 5)).toEqual([{ entityId: 'e', language: 'ja', text: '進撃の巨人', kind: 'prefix' }])
})

test.each([
  ['narutp', 'Naruto'],
  ['frierne', "Frieren: Beyond Journey's End"],
  ['atack titan', 'Attack on Titan'],
  ['alchemsit', 'Fullmetal Alchemist: Brotherhood'],
  ['進撃巨人', '進撃の巨人'],
  ['evangelon', 'Neon Genesis Evangelion'],
])('%s finds %s despite the typo', (query, title) => expect(found(query, title)).toEqual([`typo ${title}`]))

test('the place of a match counts before the length of the title', () => {
  expect(found('lon', 'Abalone', 'The Very Longest Day')).toEqual(['inside The Very Longest Day', 'inside Abalone'])
  const apart = ['inside Subtitan Attack of the Year', 'inside Attack Titan']
  expect(found('titan attack', 'Attack Titan', 'Subtitan Attack of the Year')).toEqual(apart)
})

test('matches with typos are ordered by their number, then by what they match, then by length', () => {
  const inOrder = (query: string, ...titles: string[]) =>
    expect(found(query, ...titles.toReversed())).toEqual(titles.map((title) => `typo ${title}`))
  inOrder('evangelon', 'Evangelions', 'Evanzelom')
  // The whole title, whole words, the beginning of a word, and words in another order.
  inOrder('narutp', 'Narup', 'A Narup')
  inOrder('narutp', 'Naruto', 'Naruto Shippuuden', 'Narutos')
  inOrder('atack titan', 'Attack Titanic Something', 'Titan Attack')
})

test.each([
  ['onve', 'Once', true],
  ['blacxer', 'Blacker', true],
  ['blacxxr', 'Blacker', false],
  ['blacxxrs', 'Blackers', true],
  ['blaxxxrs', 'Blackers', false],
  ['atack titqn piece', 'Piece Attack Titan', true],
  ['atack titqn piecs', 'Piece Attack Titan', false],
])(
  'a query may have one typo from 4 letters on, two from 8 on, and two in all its words: %s, %s',
  (query, title, isIn) => expect(found(query, title)).toEqual(isIn ? [`typo ${title}`] : []),
)

test('the texts one typo away are all those with a letter more, less, other or swapped, for 4 to 11 letters', () => {
  const near = neighbours('kino')
  expect(near).toEqual(expect.arrayContaining(['akino', 'kinoz', 'ino', 'kin', 'zino', 'kinz', 'ikno', 'kion']))
  expect(near).not.toContain('kino')
  for (const each of near) expect(distance('kino', each, 2)).toBe(1)
  for (const [length, isAny] of [
    [3, false],
    [4, true],
    [11, true],
    [12, false],
  ] as const)
    expect(neighbours('k'.repeat(length)).length > 0).toBe(isAny)
  expect(neighbours('進撃の巨人')).toEqual([])
})

test('matches words in any order as inside', () => {
  expect(found('titan attack', 'Attack on Titan')).toEqual(['inside Attack on Titan'])
})

test('does not match a typo in the middle of a word or in a query of three letters', () => {
  expect(found('tane', 'Titanic')).toEqual([])
  expect(found('onx', 'One')).toEqual([])
})

test('kana and romaji find each other', () => {
  expect(found('shingeki', 'シンゲキのバハムート')).toEqual(['prefix シンゲキのバハムート'])
  expect(found('とうきょう', 'Tokyo Ghoul')).toEqual(['prefix Tokyo Ghoul'])
  expect(found('syoujo', 'Shoujo Kakumei')).toEqual(['prefix Shoujo Kakumei'])
})

const word = fc.string({ unit: fc.constantFrom(...chars('abc進の')), maxLength: 9 })

test('a long vowel that is typed ranks texts with it before those without', () => {
  const long = ['inside 葬送のフリーレン', 'prefix フリクリ', 'inside 雨ふり小僧']
  expect(found('フリー', '雨ふり小僧', 'フリクリ', '葬送のフリーレン', 'フリージング')).toEqual([
    'prefix フリージング',
    ...long,
  ])
  expect(found('ふりー', '雨ふり小僧', 'フリクリ', '葬送のフリーレン', 'フリージング')).toEqual([
    'prefix フリージング',
    ...long,
  ])
  expect(found('ふり', 'フリージング', 'フリクリ')).toEqual(['prefix フリクリ', 'prefix フリージング'])
})

test('titles found by their reading are ordered alike, with or without kana', () => {
  const read = ([text = '', reading = '']: string[], at: number) => ({
    entityId: `e${at}`,
    language: 'ja',
    text,
    compact: reading,
  })
  const titles = [
    ['新劇場版', 'shingekijouban'],
    ['進撃の巨人', 'shingekinokyojin'],
    ['Shingeki! Kyojin Chuugakkou', 'shingekikyojinchuugakkou'],
    ['進撃の子', 'shingekinoko'],
  ].map(read)
  expect(rank('shingeki', titles, 5).map(({ text }) => text)).toEqual([
    'Shingeki! Kyojin Chuugakkou',
    '進撃の子',
    '新劇場版',
    '進撃の巨人',
  ])
})

test('the order does not depend on the order of the candidates', () => {
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 8 }), (query, texts) => {
      const candidates = labels(texts)
      expect(rank(query, candidates.toReversed(), 5)).toEqual(rank(query, candidates, 5))
    }),
  )
})

test('the distance is a symmetric, bounded count of edits', () => {
  fc.assert(
    fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, max) => {
      const full = distance(a, b, 100)
      expect(distance(b, a, 100)).toBe(full)
      expect(distance(a, b, max)).toBe(Math.min(full, max + 1))
      expect(distance(a, a, max)).toBe(0)
      expect(distanceToPart(a, b + a, [chars(b).length], max)).toEqual({ part: 0, words: 0 })
      const near = distanceToPart(a, b, [0], max)
      expect(near.part).toBeLessThanOrEqual(near.words)
      expect(near.words).toBeLessThanOrEqual(distance(a, b, max))
    }),
  )
})

test.each([
  ['naruto', 'naurto', 1],
  ['naruto', 'nauto', 1],
  ['naruto', 'narruto', 1],
  ['進撃', '進擊', 1],
  ['𠮷野家', '吉野家', 1],
])('the distance between %s and %s is %i', (a, b, edits) => expect(distance(a, b, 2)).toBe(edits))

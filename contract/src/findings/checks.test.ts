import { expect, test } from 'vitest'
import type { FindingCode } from '../findings.ts'
import { findingsIn } from './checks.ts'

const NOW = '2026-06-01T00:00:00.000Z'

interface Given {
  original?: string
  wanted?: string[]
  [field: string]: unknown
}

/**
 * The findings of a check on a media item with these titles: the language of each, or the field if it has no language.
 */
function found(code: FindingCode, titles: Record<string, string>, { original, wanted, ...more }: Given = {}): string[] {
  const translations = Object.fromEntries(
    Object.entries(titles).map(([language, title]) => [language, { title, description: '' }]),
  )
  const document = { translations, originalTitle: original, ...more }
  const rules = { codes: [code], wanted: wanted ?? ['en', 'zh'] }
  return findingsIn('Media', document, rules, NOW).map(({ language, field }) => language || field)
}

test('reports a wanted language as missing unless its family has a text', () => {
  expect(found('missing', { ja: 'こころ' })).toEqual(['en', 'zh'])
  expect(found('missing', { 'zh-Hant': '心', en: ' ' })).toEqual(['en'])
  expect(found('missing', { zh: '心' }, { wanted: ['zh-Hans'] })).toEqual(['zh-Hans'])
})

test('reports a title as copied if it equals the Japanese or the original one', () => {
  const copy = { ja: '令和のデ・ジ・キャラット', 'zh-Hans': '令和のデ・ジ・キャラット' }
  expect(found('copied', copy, { original: '令和のデ・ジ・キャラット' })).toEqual(['zh-Hans'])
  expect(found('copied', { ja: '犬夜叉', 'zh-Hans': '犬夜叉', 'zh-Hant': '犬夜叉' })).toEqual(['zh-Hans', 'zh-Hant'])
  // Full-width and half-width punctuation are equal.
  expect(found('copied', { ja: '俺物語!!', 'zh-Hant': '俺物語！！' })).toEqual(['zh-Hant'])
  expect(found('copied', { 'ja-Latn': 'Inuyasha', ja: '犬夜叉', 'zh-Hans': '犬夜叉' })).toEqual(['zh-Hans'])
  expect(found('copied', { en: 'こころ' }, { original: 'こころ' })).toEqual(['en'])
  expect(found('copied', { en: '尸兄' }, { original: '尸兄' })).toEqual(['en'])
})

test('does not report Chinese originals, Latin letters and unwanted languages as copied', () => {
  expect(found('copied', { 'zh-Hans': '尸兄' }, { original: '尸兄' })).toEqual([])
  expect(found('copied', { 'zh-Hans': '银之守墓人', ja: '銀の墓守り' }, { original: '银之守墓人' })).toEqual([])
  expect(found('copied', { 'zh-Hans': '白蛇：缘起', ja: '白蛇：缘起' }, { original: '白蛇：缘起' })).toEqual([])
  for (const original of ['魔道祖师', '마도조사'])
    expect(found('copied', { 'zh-Hant': '魔道祖師', ja: '魔道祖師' }, { original })).toEqual([])
  for (const title of ['CLANNAD', 'R-15', 'Fate/stay night', '11eyes'])
    expect(found('copied', { 'zh-Hans': title, ja: title, en: title }, { original: title })).toEqual([])
  expect(found('copied', { ja: '犬夜叉', ko: '犬夜叉' })).toEqual([])
  expect(found('copied', { ja: '犬夜叉' }, { original: '犬夜叉', wanted: ['ja'] })).toEqual([])
  expect(found('copied', { 'zh-Hans': '银魂', ja: '銀魂' })).toEqual([])
})

test('a Chinese title of Chinese characters is a copy only of a Japanese title that has the Japanese forms', () => {
  expect(found('copied', { 'zh-Hans': '犬夜叉' }, { original: '犬夜叉' })).toEqual([])
  expect(found('copied', { 'zh-Hans': '幸福', ja: '幸福' })).toEqual(['zh-Hans'])
  // Japanese writes 銀, Chinese 银: nobody has copied it.
  expect(found('copied', { 'zh-Hans': '银河', ja: '银河' })).toEqual([])
  expect(found('copied', { 'zh-Hans': '！？', ja: '！？' })).toEqual([])
})

test('reports a title in a foreign script, but not middle dots or Latin letters', () => {
  expect(found('script', { 'zh-Hans': '剧场版 鬼灭の刃 无限列车编' })).toEqual(['zh-Hans'])
  expect(found('script', { en: '世界名作剧场・完结版 崔普一家物语', ko: '心' })).toEqual(['en', 'ko'])
  expect(found('script', { 'zh-Hans': '哈利・波特', en: 'Kokoro', ja: '心', ko: '마음', ru: 'Сердце' })).toEqual([])
  expect(found('script', { 'zh-Hans': 'CLANNAD', ko: 'CLANNAD' })).toEqual([])
})

test('reports a title in Latin letters if the original is in other ones and does not contain it', () => {
  const titles = { ja: 'ガチアクタ', 'zh-Hant': 'Gachiakuta', th: 'GACHIAKUTA', ru: 'Гатиакута', en: 'Gachiakuta' }
  expect(found('latinOnly', titles)).toEqual(['zh-Hant', 'th'])
  expect(found('latinOnly', { ja: 'The Tower', 'zh-Hans': 'The Tower' }, { original: '塔' })).toEqual(['ja', 'zh-Hans'])
  expect(found('latinOnly', { ja: 'BNA ビー・エヌ・エー', 'zh-Hans': 'BNA', ko: '86' })).toEqual([])
  expect(found('latinOnly', { 'zh-Hans': 'K-ON!' }, { original: 'K-ON!' })).toEqual([])
  expect(found('latinOnly', { 'zh-Hans': 'Gachiakuta', 'ja-Latn': 'Gachiakuta' })).toEqual([])
})

test('reports no title in Latin letters in a language whose script is unknown', () => {
  expect(found('latinOnly', { ja: 'ガチアクタ', mis: 'Gachiakuta' })).toEqual([])
})

test('reports titles in the letters of another language, in any script', () => {
  const russian = 'Атака титанов'
  expect(found('script', { en: russian, ja: russian, 'zh-Hans': russian, ko: russian, th: russian })).toEqual([
    'en',
    'ja',
    'zh-Hans',
    'ko',
    'th',
  ])
  expect(found('script', { ru: '进击的巨人', ar: '進撃の巨人', ja: '진격의 거인', vi: 'هجوم العمالقة' })).toEqual([
    'ru',
    'ar',
    'ja',
    'vi',
  ])
  expect(found('script', { en: 'नारुतो', fr: 'נארוטו', hi: 'ผ่าพิภพไททัน' })).toEqual(['en', 'fr', 'hi'])
  expect(found('script', { ru: russian, uk: russian, ar: 'هجوم العمالقة', he: 'נארוטו', hi: 'नारुतो' })).toEqual([])
  expect(found('script', { 'ja-Latn': 'Shingeki no Kyojin', 'ja-Hira': 'しんげき', 'sr-Cyrl': russian })).toEqual([])
})

test('reports neither emoticons, Greek letters and Hangul of Korean works nor unknown languages as a foreign script', () => {
  expect(found('script', { en: 'Yes (´Д`)', ja: 'μ’s (๑•̀ㅁ•́)و', 'zh-Hans': 'Σ计划' }, { original: '한국' })).toEqual([])
  expect(found('script', { 'zh-Hans': '한국故事', ja: '한국の話' }, { original: '한국' })).toEqual([])
  expect(found('script', { ko: '신(神)의 탑', mis: '進撃の巨人' })).toEqual([])
})

test('reports single letters only of scripts that emoticons do not use', () => {
  for (const letter of 'Дوקกॐ') expect(found('script', { en: `Yes (${letter})` })).toEqual([])
  for (const letter of '心こ마') expect(found('script', { en: `Yes (${letter})` })).toEqual(['en'])
})

test('reports Chinese characters in a title in kana, and Hangul in a language of another alphabet', () => {
  expect(found('script', { 'ja-Hrkt': 'しんげき' })).toEqual([])
  expect(found('script', { 'ja-Hrkt': '進撃' })).toEqual(['ja-Hrkt'])
  expect(found('script', { ko: '신(神)의 タワー' })).toEqual([])
  expect(found('script', { en: '한국 story' }, { original: '한국' })).toEqual(['en'])
})

test('reports characters of the other Chinese script if the tag names the script', () => {
  expect(found('mixed', { 'zh-Hans': '哥布林殺手 II', 'zh-Hant': '滨虎 第二季' })).toEqual(['zh-Hans', 'zh-Hant'])
  expect(found('mixed', { 'zh-Hans': '法外製裁者', 'zh-Hant': '法外製裁者' })).toEqual(['zh-Hans'])
  for (const char of '爲麪羣後') expect(found('mixed', { 'zh-Hans': `${char}记` })).toEqual(['zh-Hans'])
  for (const char of '乾於説') expect(found('mixed', { 'zh-Hans': `${char}记`, 'zh-Hant': char })).toEqual([])
  expect(found('mixed', { 'zh-Hans': '头髮', 'zh-Hant': '頭髮' })).toEqual(['zh-Hans'])
  expect(found('mixed', { 'zh-Hans': '哥布林杀手', 'zh-Hant': '千年女優', zh: '哥布林殺手' })).toEqual([])
})

test('reports stray spaces, unbalanced brackets, wrong ellipses and placeholders', () => {
  expect(found('spaces', { en: ' Kokoro', zh: '心　', ja: 'こ  ころ', fr: 'Le pauvre cœur' })).toEqual([
    'en',
    'zh',
    'ja',
  ])
  expect(found('brackets', { en: 'Kokoro (novel', zh: '《心', ja: '「こころ」（上）' })).toEqual(['en', 'zh'])
  expect(found('ellipsis', { 'zh-Hans': '在花之都...真的吗！？', en: 'Really...', ja: '心……' })).toEqual(['zh-Hans'])
  expect(found('placeholder', { en: 'T.B.A.', zh: '待定', fr: 'Test Drive' })).toEqual(['en', 'zh'])
  expect(found('placeholder', { en: 'XXX' }, { original: 'xxx' })).toEqual([])
})

test.each(['()', '（）', '[]', '［］', '【】', '「」', '『』', '《》', '〈〉'])('%s are a pair of brackets', (pair) => {
  const [open = '', closing = ''] = pair
  expect(found('brackets', { en: `One ${pair} ${open}two ${pair}${closing}` })).toEqual([])
  for (const title of [
    `One ${open}two`,
    `One two${closing}`,
    `One ${closing}two${open}`,
    `${open}${open}One${closing}`,
  ])
    expect(found('brackets', { en: title })).toEqual(['en'])
  expect(found('brackets', { en: pair === '()' ? '(One]' : `${open}One)` })).toEqual(['en'])
})

test('full stops in place of an ellipsis are three of one kind, beside Chinese characters', () => {
  const titles = { 'zh-Hans': '心..', 'zh-Hant': '心。。', ja: 'こころ...' }
  expect(found('ellipsis', titles)).toEqual(['zh-Hant'])
})

test('reports a title that lacks the season of the original', () => {
  const titles = { ja: 'バクマン。(第2シリーズ)', en: 'BAKUMAN', 'zh-Hans': '爆漫王。2' }
  expect(found('season', titles, { original: 'バクマン。(第2シリーズ)' })).toEqual(['en'])
  for (const original of ['スマーフ シーズン2', '忍たま 2期', '古剣 第十一期', 'アイカツ! 4thシーズン', 'X Season 12'])
    expect(found('season', { en: 'SMURFS', th: 'สเมิร์ฟ ๒' }, { original })).toEqual(['en'])
  expect(found('season', { ja: 'バクマン。', en: 'BAKUMAN Season 2' })).toEqual([])
  expect(found('season', { ja: 'MEDALIST 第1期', en: 'MEDALIST' })).toEqual([])
})

test('only the original and the Japanese title say which season it is, and any number in another title counts', () => {
  const japanese = 'バクマン 第2期'
  expect(found('season', { ja: japanese, en: 'Bakuman', ko: 'BAKUMAN' }, { original: 'BAKUMAN' })).toEqual(['en'])
  expect(found('season', { zh: '食梦者 第二季', en: 'Bakuman' })).toEqual([])
  const others = [
    'Bakuman!',
    'Bakuman＋',
    'Bakuman’',
    'Bakuman II',
    'Bakuman: The Final',
    '新 Bakuman',
    '食梦者 贰',
    '食梦者 貳',
  ]
  for (const en of others) expect(found('season', { ja: japanese, en })).toEqual([])
})

test('reports an empty cover, tags, characters or description, but not absent fields', () => {
  const empty = { cover: '', tags: [], characters: [] }
  const full = { cover: 'a', tags: ['b'], characters: ['c'] }
  for (const [code, field] of [
    ['noCover', 'cover'],
    ['noTags', 'tags'],
    ['noCharacters', 'characters'],
  ] as const) {
    expect(found(code, {}, empty)).toEqual([field])
    expect(found(code, {}, full)).toEqual([])
    expect(found(code, {})).toEqual([])
  }
  expect(found('noDescription', { en: 'Kokoro' })).toEqual(['description'])
  const described = (...texts: string[]) => ({
    translations: Object.fromEntries(texts.map((description, at) => [`en-x-${at}`, { title: 'Kokoro', description }])),
  })
  expect(found('noDescription', {}, described('', ' \n'))).toEqual(['description'])
  expect(found('noDescription', {}, described('', 'A novel'))).toEqual([])
})

test('reports a media item that is completed before its release date', () => {
  const media = { releaseDate: '2026-07-01T00:00:00.000Z', isOngoing: false }
  expect(found('futureCompleted', {}, media)).toEqual(['releaseDate'])
  expect(found('futureCompleted', {}, { ...media, isOngoing: true })).toEqual([])
  expect(found('futureCompleted', {}, { ...media, releaseDate: NOW })).toEqual([])
  expect(found('futureCompleted', {}, { ...media, releaseDate: '2026-06-01T00:00:00.001Z' })).toEqual(['releaseDate'])
})

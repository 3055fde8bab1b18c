// Measures the recall of search on the titles of the sample catalogue: `npm run recall` writes docs/recall.md.
// Ambiguous queries, which more than ten titles match equally well, are excluded, because ten results cannot contain
// all of them. Any entry with the same title counts as found.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Converter } from 'opencc-js'
import { toHiragana, toKatakana, toRomaji } from 'wanakana'
import { closeDatabase, openDatabase, transaction } from '../server/src/database/db.ts'
import { bangumiItems, titlesOf } from '../server/src/lib/bangumi.ts'
import { chars, lengthOf } from '../server/src/search/chars.ts'
import { compact, fold, variants } from '../server/src/search/fold.ts'
import { search } from '../server/src/search/store.ts'
import { READINGS } from './readings.ts'

const TOP = 10
/** The maximum number of queries of each kind. */
const QUERIES = 250

interface Title {
  id: string
  language: string
  text: string
}

/** A kind of query for a title. `ask` returns the query, if it applies to the title; `at` is a number to vary it by. */
interface Way {
  name: string
  ask: (title: Title, at: number) => string | undefined
  /** The query is a part of the title, so it may be ambiguous. */
  part?: 'prefix' | 'inside'
  /** The minimum recall: the share of queries, from 0 to 1, whose title must be among the first ten results. */
  floor: number
}

export interface Recall {
  name: string
  queries: number
  first: number
  ten: number
  /** The number of excluded queries, which more than ten titles match. */
  ambiguous: number
  floor: number
  missed: string[]
}

const only = (language: string) => (title: Title) => (title.language === language ? title.text : undefined)
/** The converted title; undefined if the conversion does not change it. */
const changed = (convert: (text: string) => string, applies: (title: Title) => boolean) => (title: Title) => {
  const text = applies(title) ? convert(title.text) : title.text
  return text === title.text ? undefined : text
}
const anyTitle = () => true
const isLatin = ({ text }: Title) => /^[\p{Script=Latin}\p{N}\p{P}\s]+$/u.test(text) && /[a-z]{4}/i.test(text)
const isKana = ({ text }: Title) => /^[\p{Script=Hiragana}\p{Script=Katakana}ー・！!？?\s]+$/u.test(text)
const isIn = (language: string) => (title: Title) => title.language === language

/** The first words of a Latin title, up to 24 characters; undefined if these have fewer than four letters. */
function opening(title: Title): string | undefined {
  if (!isLatin(title)) return undefined
  const words = fold(title.text).split(' ')
  while (words.join(' ').length > 24 && words.length > 1) words.pop()
  const text = words.join(' ')
  return compact(text).length < 4 ? undefined : text
}

/** The title with a typo in one of its letters, but never the first, because users notice that. */
const mistyped = (mistake: (letter: string, next: string) => string) => (title: Title, at: number) => {
  const text = opening(title)
  const places = chars(text ?? '').flatMap((letter, index) => (index > 0 && /[a-z]/.test(letter) ? [index] : []))
  const place = places[at % places.length]
  if (text === undefined || place === undefined) return undefined
  const wrong = text.slice(0, place) + mistake(text.charAt(place), text.charAt(place + 1)) + text.slice(place + 2)
  return fold(wrong) === text ? undefined : wrong
}

const fragment = (title: Title, at: number, length: number): string | undefined => {
  const letters = chars(title.text)
  if (letters.length <= length) return undefined
  const from = 1 + (at % (letters.length - length))
  const text = letters.slice(from, from + length).join('')
  return lengthOf(compact(fold(text))) === length ? text : undefined
}

const isUnspaced = (text: string | undefined) =>
  text !== undefined && /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u.test(text)

/** A query by reading, for titles whose readings are known. */
const read = (as: (known: { kana: string }) => string) => (title: Title) => {
  const kana = title.language === 'ja' ? READINGS[title.text] : undefined
  return kana === undefined ? undefined : as({ kana })
}

const WAYS: Way[] = [
  { name: 'Title, Japanese', ask: only('ja'), floor: 0.99 },
  { name: 'Title, English', ask: only('en'), floor: 0.99 },
  { name: 'Title, Simplified Chinese', ask: only('zh-Hans'), floor: 0.99 },
  { name: 'Title, Traditional Chinese', ask: only('zh-Hant'), floor: 0.99 },
  {
    name: 'First 3 to 6 characters',
    part: 'prefix',
    ask: ({ text }, at) =>
      lengthOf(text) > 3 + (at % 4)
        ? chars(text)
            .slice(0, 3 + (at % 4))
            .join('')
        : undefined,
    floor: 0.99,
  },
  {
    name: 'Inside, Latin, 5 to 8 characters',
    part: 'inside',
    ask: (title, at) => (isLatin(title) ? fragment(title, at, 5 + (at % 4)) : undefined),
    floor: 0.95,
  },
  {
    name: 'Inside, Chinese or Japanese, 3 or 4 characters',
    part: 'inside',
    ask: (title, at) => {
      const text = fragment(title, at, 3 + (at % 2))
      return isUnspaced(text) ? text : undefined
    },
    floor: 0.95,
  },
  {
    name: 'Inside, Chinese or Japanese, 2 characters',
    part: 'inside',
    ask: (title, at) => {
      const text = fragment(title, at, 2)
      return isUnspaced(text) ? text : undefined
    },
    floor: 0.95,
  },
  { name: 'Latin, a wrong letter', ask: mistyped((letter, next) => (letter === 'k' ? 'j' : 'k') + next), floor: 0.92 },
  { name: 'Latin, a letter left out', ask: mistyped((_, next) => next), floor: 0.92 },
  { name: 'Latin, a letter twice', ask: mistyped((letter, next) => letter + letter + next), floor: 0.92 },
  { name: 'Latin, two letters swapped', ask: mistyped((letter, next) => next + letter), floor: 0.92 },
  {
    name: 'Hiragana for katakana',
    ask: changed((text) => toHiragana(text, { passRomaji: true }), isKana),
    floor: 0.99,
  },
  {
    name: 'Katakana for hiragana',
    ask: changed((text) => toKatakana(text, { passRomaji: true }), isKana),
    floor: 0.99,
  },
  { name: 'Titles with kanji, read in kana', ask: read(({ kana }) => kana), floor: 0.9 },
  { name: 'Titles with kanji, read in romaji', ask: read(({ kana }) => toRomaji(kana)), floor: 0.9 },
  { name: 'Kana titles in romaji', ask: changed((text) => toRomaji(text), isKana), floor: 0.95 },
  {
    name: 'Full width',
    ask: changed(
      (text) => text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
      anyTitle,
    ),
    floor: 0.99,
  },
  { name: 'Capitals', ask: changed((text) => text.toUpperCase(), anyTitle), floor: 0.99 },
  {
    name: 'Without accents',
    ask: changed(
      (text) =>
        text
          .normalize('NFD')
          .replace(/(?<=\p{Script=Latin})\p{Mn}/gu, '')
          .normalize('NFC'),
      anyTitle,
    ),
    floor: 0.99,
  },
  {
    name: 'Simplified, typed traditional (Taiwan)',
    ask: changed(Converter({ from: 'cn', to: 'tw' }), isIn('zh-Hans')),
    floor: 0.98,
  },
  {
    name: 'Simplified, typed traditional (Hong Kong)',
    ask: changed(Converter({ from: 'cn', to: 'hk' }), isIn('zh-Hans')),
    floor: 0.98,
  },
  {
    name: 'Traditional, typed simplified',
    ask: changed(Converter({ from: 'tw', to: 'cn' }), isIn('zh-Hant')),
    floor: 0.98,
  },
  { name: 'Japanese, typed traditional', ask: changed(Converter({ from: 'jp', to: 't' }), isIn('ja')), floor: 0.98 },
  { name: 'Japanese, typed simplified', ask: changed(Converter({ from: 'jp', to: 'cn' }), isIn('ja')), floor: 0.98 },
]

/** The titles of the sample catalogue: for each anime the original title, and the first one in every other language. */
export const sampleTitles = (): Title[] =>
  bangumiItems().flatMap((item, at) =>
    Object.entries(titlesOf(item)).map(([language, text]) => ({ id: `anime${at}`, language, text })),
  )

/** Adds titles to the search index of the open database. */
export async function indexTitles(titles: Title[]): Promise<void> {
  const byId = [...Map.groupBy(titles, ({ id }) => id)]
  for (let at = 0; at < byId.length; at += 500)
    await transaction((tx) =>
      search.add(
        tx,
        'Media',
        byId.slice(at, at + 500).map(([id, labels]) => ({ id, labels })),
      ),
    )
}

/** Runs up to `most` queries of each kind, for titles spread evenly over the catalogue. */
export async function measureRecall(titles: Title[], most: number): Promise<Recall[]> {
  const labels = titles.flatMap(({ id, text }) => variants(text).map((each) => ({ id, compact: compact(each) })))
  const sameTitled = new Map(
    [...Map.groupBy(labels, (label) => label.compact)].map(([text, same]) => [text, new Set(same.map(({ id }) => id))]),
  )
  const results: Recall[] = []
  for (const way of WAYS) {
    const recall: Recall = { name: way.name, queries: 0, first: 0, ten: 0, ambiguous: 0, floor: way.floor, missed: [] }
    for (const { title, q } of queriesOf(way, titles, most)) {
      if (way.part && isAmbiguous(way.part, labels, compact(fold(q)))) {
        recall.ambiguous++
        continue
      }
      const { matches } = await search.find('Media', q, TOP)
      const rank = matches.findIndex(({ entityId }) => sameTitled.get(compact(fold(title.text)))?.has(entityId))
      recall.queries++
      if (rank === 0) recall.first++
      if (rank >= 0) recall.ten++
      else recall.missed.push(`${q} → ${title.text}`)
    }
    results.push(recall)
  }
  return results
}

function queriesOf({ ask }: Way, titles: Title[], most: number): { title: Title; q: string }[] {
  const asked = titles.flatMap((title, at) => {
    // A prime factor, so that positions and lengths vary from title to title.
    const q = ask(title, at * 7919)
    return q === undefined ? [] : [{ title, q }]
  })
  const step = Math.max(1, asked.length / most)
  return asked.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

function isAmbiguous(part: 'prefix' | 'inside', labels: { id: string; compact: string }[], text: string): boolean {
  const answers = new Set<string>()
  for (const label of labels) {
    if (answersAs(part, label.compact, text)) answers.add(label.id)
    if (answers.size > TOP) return true
  }
  return false
}

const answersAs = (part: 'prefix' | 'inside', label: string, text: string): boolean =>
  part === 'prefix' ? label.startsWith(text) : label.includes(text)

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const tableOf = (recalls: Recall[]): string =>
  recalls
    .map(({ name, queries, first, ten, ambiguous, floor }) =>
      [name, queries, ambiguous, percent(first / queries), percent(ten / queries), percent(floor)].join(' | '),
    )
    .map((row) => `| ${row} |`)
    .join('\n')

async function write(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-recall-'))
  await openDatabase({ folder })
  try {
    const titles = sampleTitles()
    await indexTitles(titles)
    const recalls = await measureRecall(titles, QUERIES)
    for (const { name, missed } of recalls) process.stdout.write(`${name}\n  ${missed.slice(0, 8).join('\n  ')}\n`)
    const table = tableOf(recalls)
    process.stdout.write(`${table}\n`)
    writeFileSync(join(import.meta.dirname, '../docs/recall.md'), pageOf(titles, table))
  } finally {
    await closeDatabase()
    rmSync(folder, { recursive: true })
  }
}

const pageOf = (titles: Title[], table: string): string => `# What search finds

Measured over the ${titles.length.toLocaleString('en')} titles of the ${new Set(titles.map(({ id }) => id)).size.toLocaleString('en')} anime of the sample catalogue, up to ${QUERIES.toLocaleString('en')} queries of each kind. \`npm run recall\` writes this page;
\`server/test/recall.test.ts\` checks on both engines, with a smaller sample, that no figure falls below its floor.

A query is *ambiguous*, and left out, when more than ten titles contain it: no ten results could all be right.
Typing errors are considered only when no title equals the query, begins with it, or has a word that begins with it.
Another entry with the same title counts as found. Titles with kanji are queried by their readings where \`eval/readings.ts\` lists them: those of their publishers, not of the dictionary.

| Query | Asked | Ambiguous | First | In the first ten | Floor |
| --- | --- | --- | --- | --- | --- |
${table}
`

if (import.meta.main) await write()

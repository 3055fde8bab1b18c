import { kindOf, type Translated } from '../kinds.ts'
import { foldedLetters } from './scripts.ts'
import { normalize } from '../normalize.ts'

/** Entities that share a key are likely duplicates if their release days are at most this far apart. */
export const MAX_DAYS_APART = 1

/** The maximum number of keys per entity. */
const MAX_KEYS = 200
/** Longer titles count as equal if they begin with the same characters. */
const MAX_CHARS = 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** Likely duplicates share one of `keys` and have nearly the same `day` (days since 1970; 0 without a date). */
export interface DuplicateKeys {
  keys: string[]
  day: number
}

type Document = Readonly<Record<string, unknown>>

/**
 * The keys for duplicate detection. Duplicates share the type, the season and one title in any language, ignoring case,
 * width, spaces and punctuation. Characters also share a media item if they appear in any, because many have the same
 * name.
 */
export function duplicateKeys(kind: Translated, document: Document): DuplicateKeys {
  const titles = titlesOf(kind, document)
  const season = latestSeason(titles)
  const names = new Set(titles.map(foldedTitle))
  const type = document.mediaType ?? document.type ?? ''
  const places = Array.isArray(document.mediaRefs) && document.mediaRefs.length > 0 ? document.mediaRefs : ['']
  return { keys: firstKeys([kind, type, season], places, [...names]), day: dayOf(document.releaseDate) }
}

/** The first keys by their text. There may be 300,000 of them, of which only these are made. */
function firstKeys(start: unknown[], places: unknown[], names: string[]): string[] {
  const [beginning, inOrder, keys] = [JSON.stringify(start).slice(0, -1), asJson(names), [] as string[]]
  for (const place of asJson(places).slice(0, MAX_KEYS))
    for (const name of inOrder.slice(0, MAX_KEYS - keys.length)) keys.push(`${beginning},${place},${name}]`)
  return keys
}

/** In the order of their JSON, in which no text is the beginning of another one. */
const asJson = (values: unknown[]): string[] => values.map((each) => JSON.stringify(each)).toSorted()

/** The season that the titles of an entity name; 0 if they name none. */
export const seasonIn = (kind: Translated, document: Document): number => latestSeason(titlesOf(kind, document))

const latestSeason = (titles: string[]): number => Math.max(0, ...titles.map(seasonOf))

/** The titles of `one` that `other` has too, ignoring case, width, spaces and punctuation. */
export function sharedTitles(kind: Translated, one: Document, other: Document): string[] {
  const folded = new Set(titlesOf(kind, other).map(foldedTitle))
  const own = titlesOf(kind, one).map((title) => [foldedTitle(title), title] as const)
  return [...new Map(own.filter(([name]) => folded.has(name))).values()]
}

function titlesOf(kind: Translated, { translations, ...document }: Document): string[] {
  const { title = '', original = '', aliases = '' } = kindOf(kind).texts ?? {}
  const texts = Object.values((translations ?? {}) as Record<string, Record<string, string>>)
  const all = [document[original], ...texts.map((text) => text[title]), ...((document[aliases] ?? []) as unknown[])]
  return (
    all
      .filter((each) => typeof each === 'string')
      // A character may become 18.
      .map((each) => normalize(each.slice(0, MAX_CHARS), 'NFKC').slice(0, MAX_CHARS).trim())
      .filter(Boolean)
  )
}

/** The number of days since 1970; 0 if it is not a date. */
export const dayOf = (date: unknown): number =>
  typeof date === 'string' ? Math.floor(Date.parse(date) / DAY_MS) || 0 : 0

const SEASONS = [
  /第\s*([0-9]{1,2}|[一二三四五六七八九十]{1,3})\s*(?:季|期|シリーズ|シーズン|部)/g,
  /(?:\b(?:season|part)|シーズン|시즌)\s*([0-9]{1,2})\b/gi,
  /\b([0-9]{1,2})(?:st|nd|rd|th)\s*(?:season\b|シーズン)/gi,
  /\b([0-9]{1,2})\s*[期기](?!\p{L})/gu,
]
const DIGITS = '〇一二三四五六七八九'

/** The season that a title names, the highest if it names several; 0 if it names none. */
export const seasonOf = (title: string): number =>
  Math.max(
    0,
    ...SEASONS.flatMap((pattern) => Array.from(title.matchAll(pattern), ([, number = '']) => valueOf(number))),
  )

/** The value of a number below 100 in Arabic or Chinese digits: 21 for `21` and for `二十一`. */
function valueOf(number: string): number {
  if (/^[0-9]/.test(number)) return Number(number)
  if (!number.includes('十')) return DIGITS.indexOf(number.at(-1) ?? '')
  const [tens = '', ones = ''] = number.split('十')
  return (tens ? DIGITS.indexOf(tens) : 1) * 10 + (ones ? DIGITS.indexOf(ones) : 0)
}

/** A title, folded, without its season number; the whole title if nothing else is left. */
function foldedTitle(title: string): string {
  const bare = SEASONS.reduce((left, pattern) => left.replace(pattern, ' '), title)
  return foldedLetters(bare) || foldedLetters(title) || title.toLowerCase().replace(/\s/gu, '')
}

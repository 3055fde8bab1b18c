import { kindOf, type Translated } from '../kinds.ts'
import { foldedLetters } from './scripts.ts'

/** Two entities with a key in common are likely the same where their days are no further apart than this. */
export const MAX_DAYS_APART = 1

/** So many keys stand for one entity. */
const MAX_KEYS = 200
const DAY_MS = 24 * 60 * 60 * 1000

/** What an entity is likely the same as: what has one of `keys`, about the same `day` since 1970 (0 where it has none). */
export interface DuplicateKeys {
  keys: string[]
  day: number
}

type Document = Readonly<Record<string, unknown>>

/**
 * What two entries of the same thing share: the type, the season and one title, whatever its language, case, width,
 * spaces and punctuation. Characters share a media as well, where they are in any: many are called the same.
 */
export function duplicateKeys(kind: Translated, document: Document): DuplicateKeys {
  const titles = titlesOf(kind, document)
  const season = latestSeason(titles)
  const names = new Set(titles.map(foldedTitle))
  const type = document.mediaType ?? document.type ?? ''
  const places = Array.isArray(document.mediaRefs) && document.mediaRefs.length > 0 ? document.mediaRefs : ['']
  const keys = places.flatMap((place) => Array.from(names, (name) => JSON.stringify([kind, type, season, place, name])))
  return { keys: keys.toSorted().slice(0, MAX_KEYS), day: dayOf(document.releaseDate) }
}

/** The season that the titles of an entity name; 0 where they name none. */
export const seasonIn = (kind: Translated, document: Document): number => latestSeason(titlesOf(kind, document))

const latestSeason = (titles: string[]): number => Math.max(0, ...titles.map(seasonOf))

/** The titles of an entity that another has too, whatever their case, width, spaces and punctuation. */
export function sharedTitles(kind: Translated, one: Document, other: Document): string[] {
  const folded = new Set(titlesOf(kind, other).map(foldedTitle))
  const shared = titlesOf(kind, one).filter((title) => folded.has(foldedTitle(title)))
  return [...new Map(shared.map((title) => [foldedTitle(title), title])).values()]
}

function titlesOf(kind: Translated, { translations, ...document }: Document): string[] {
  const { title = '', original = '', aliases = '' } = kindOf(kind).texts ?? {}
  const texts = Object.values((translations ?? {}) as Record<string, Record<string, string>>)
  const all = [document[original], ...texts.map((text) => text[title]), ...((document[aliases] ?? []) as unknown[])]
  return all
    .filter((each) => typeof each === 'string')
    .map((each) => each.normalize('NFKC').trim())
    .filter(Boolean)
}

/** The days since 1970; 0 for what is no date. */
export const dayOf = (date: unknown): number =>
  typeof date === 'string' ? Math.floor(Date.parse(date) / DAY_MS) || 0 : 0

const SEASONS = [
  /第\s*([0-9]{1,2}|[一二三四五六七八九十]{1,3})\s*(?:季|期|シリーズ|部)/g,
  /\b(?:season|part)\s*([0-9]{1,2})\b/gi,
  /\b([0-9]{1,2})(?:st|nd|rd|th)\s+season\b/gi,
]
const DIGITS = '〇一二三四五六七八九'

/** The season that a title names, the last one if it names several; 0 where it names none. */
export const seasonOf = (title: string): number =>
  Math.max(
    0,
    ...SEASONS.flatMap((pattern) => Array.from(title.matchAll(pattern), ([, number = '']) => valueOf(number))),
  )

/** The value of Arabic or Chinese digits below 100: 21 of `21` and of `二十一`. */
function valueOf(number: string): number {
  if (/^[0-9]/.test(number)) return Number(number)
  if (!number.includes('十')) return DIGITS.indexOf(number.at(-1) ?? '')
  const [tens = '', ones = ''] = number.split('十')
  return (tens ? DIGITS.indexOf(tens) : 1) * 10 + (ones ? DIGITS.indexOf(ones) : 0)
}

/** A title without the number of its season; as it is where nothing else is left of it. */
function foldedTitle(title: string): string {
  const bare = SEASONS.reduce((left, pattern) => left.replace(pattern, ' '), title)
  return foldedLetters(bare) || foldedLetters(title) || title.toLowerCase().replace(/\s/gu, '')
}

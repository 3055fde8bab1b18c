// The number in a title that distinguishes seasons, parts or volumes of a work.
import { primaryLanguage } from '@mokuroku/contract/languageTags'
import { normalize } from '@mokuroku/contract/normalize'

/** A title, split at its number. */
export interface Numbered {
  /** The title without the number and the word for what it counts. */
  stem: string
  number: number | undefined
  /** The title with another number in its place; undefined if it has none. */
  withNumber: ((number: number) => string) | undefined
}

const HAN = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十']
const ROMAN = ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX', 'X']
const MAX_NUMBER = 99

const inHan = (number: number): string => {
  const [tens, ones] = [Math.floor(number / 10), number % 10]
  return (tens > 1 ? HAN[tens] : '') + (tens > 0 ? '十' : '') + (ones > 0 || tens === 0 ? (HAN[ones] ?? '') : '')
}
const HAN_NUMBERS = new Map(Array.from({ length: MAX_NUMBER }, (_, at) => [inHan(at + 1), at + 1]))

const ordinal = (number: number): string => {
  const last = number % 100 > 10 && number % 100 < 14 ? 0 : number % 10
  return `${number}${['th', 'st', 'nd', 'rd'][last] ?? 'th'}`
}

interface Form {
  /** The named group `n` is the number. */
  pattern: RegExp
  read: (text: string) => number | undefined
  write: (number: number) => string
}

const digits = (text: string): number | undefined => Number(normalize(text, 'NFKC')) || undefined

/** The word for a season by language, which comes before its number. */
const SEASON_WORDS: Record<string, string> = {
  ar: 'الموسم',
  de: 'Staffel',
  en: 'Season',
  es: 'Temporada',
  fr: 'Saison',
  it: 'Stagione',
  pt: 'Temporada',
  ru: 'Сезон',
  th: 'ภาค',
  uk: 'Сезон',
  vi: 'Mùa',
}
const BEFORE = [...new Set([...Object.values(SEASON_WORDS), 'シーズン', '시즌'])].join('|')

const FORMS: Form[] = [
  { pattern: /第\s*(?<n>[0-9０-９]{1,2})\s*(?:季|期|部|シリーズ|シーズン|巻|卷)/u, read: digits, write: String },
  {
    pattern: /第\s*(?<n>[一二三四五六七八九十]{1,3})\s*(?:季|期|部|シリーズ|シーズン|巻|卷)/u,
    read: (text) => HAN_NUMBERS.get(text),
    write: inHan,
  },
  {
    pattern: /\b(?<n>[0-9]{1,2}(?:st|nd|rd|th))\s*(?:(?:season|part)\b|シーズン)/iu,
    read: (text) => digits(text.slice(0, -2)),
    write: ordinal,
  },
  {
    pattern: new RegExp(
      `(?:${BEFORE}|\\b(?:part|vol\\.?|volume|book))\\s*(?<n>[0-9０-９]{1,2})(?![0-9０-９a-z])`,
      'iu',
    ),
    read: digits,
    write: String,
  },
  { pattern: /(?<![0-9０-９]|第\s*)(?<n>[0-9０-９]{1,2})\s*(?:期|기|сезон)(?!\p{L})/iu, read: digits, write: String },
  {
    pattern: /(?<=[^\p{Script=Latin}])(?<n>VIII|VII|VI|IV|IX|III|II|X|V)$/u,
    read: (text) => ROMAN.indexOf(text),
    write: (number) => ROMAN[number] ?? String(number),
  },
  {
    pattern: /(?<n>[Ⅰ-Ⅹ])$/u,
    read: (text) => ROMAN.indexOf(normalize(text, 'NFKC')),
    write: (number) => (number in ROMAN ? String.fromCharCode(0x215f + number) : String(number)),
  },
  { pattern: /(?<![0-9０-９.,:/])(?<n>[0-9０-９]{1,2})$/u, read: digits, write: String },
]

/** Splits a title at the number of its season, part or volume, from 1 to 99. */
export function splitTitle(title: string): Numbered {
  for (const { pattern, read, write } of FORMS) {
    const found = pattern.exec(title)
    const text = found?.groups?.n
    const number = text === undefined ? undefined : read(text)
    if (!found || text === undefined || !number || found.index === 0) continue
    const [before, after] = [title.slice(0, found.index), title.slice(found.index + found[0].length)]
    // Brackets around the number go with it.
    const isBracketed = /[(（[]\s*$/.test(before) && /^\s*[)）\]]/.test(after)
    const around = isBracketed ? [before.trim().slice(0, -1), after.trim().slice(1)] : [before, after]
    const at = found[0].indexOf(text)
    const marker = (written: string) => found[0].slice(0, at) + written + found[0].slice(at + text.length)
    return {
      stem: around
        .map((part) => part.trim())
        .filter(Boolean)
        .join(' '),
      number,
      withNumber: (other) => before + marker(write(other)) + after,
    }
  }
  return { stem: title.trim(), number: undefined, withNumber: undefined }
}

/** The season marker of a language without a word for it in SEASON_WORDS, for titles that do not show one. */
const MARKERS: Record<string, (number: number) => string> = {
  zh: (number) => ` 第${inHan(number)}季`,
  ja: (number) => ` 第${number}期`,
  ko: (number) => ` ${number}기`,
}

/** Turns the title of one season into that of another, in a language: with the other's number, or without one. */
export function asSeason(title: string, number: number | undefined, language: string): string {
  const { stem, withNumber } = splitTitle(title)
  if (number === undefined) return stem
  if (withNumber) return withNumber(number)
  const primary = primaryLanguage(language)
  const marker = MARKERS[primary] ?? ((season: number) => ` ${SEASON_WORDS[primary] ?? SEASON_WORDS.en} ${season}`)
  return stem + marker(number)
}

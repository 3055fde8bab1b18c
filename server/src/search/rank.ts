import { normalize } from '@mokuroku/contract/normalize'
import { HAN, KANA, lengthOf } from './chars.ts'
import { compact, fold, labelVariants, variants } from './fold.ts'
import { allowedTypos, distance, distanceToPart } from './typo.ts'

export type MatchKind = 'exact' | 'prefix' | 'inside' | 'typo'

/** A label that may match: `compact` is one of the variants of `text`. */
export interface Candidate {
  entityId: string
  language: string
  text: string
  compact: string
}

export interface Match {
  entityId: string
  text: string
  language: string
  kind: MatchKind
}

/** A query in all spellings in which it is searched. */
export interface ParsedQuery {
  /** Its variants without spaces, the text as typed first. */
  texts: string[]
  /** The words of each variant with several. */
  words: string[][]
  /** What was typed, if it has long vowel marks: the variants have none. */
  long?: string
  /** What was typed, if it has Han characters: the variants have one form of each (銀河 and 银河 are 银河). */
  han?: string
}

/** Parses a query; without texts if there is nothing to search for. */
export function parseQuery(query: string): ParsedQuery {
  const spellings = variants(query)
  const long = hiragana(query)
  return {
    texts: [...new Set(spellings.map(compact))].filter((text) => text !== ''),
    words: spellings.map((text) => text.split(' ')).filter((words) => words.length > 1),
    ...(KANA.test(long) && long.includes('ー') && { long }),
    ...(HAN.test(query) && { han: unspaced(query) }),
  }
}

const unspaced = (text: string): string => normalize(text, 'NFKC').toLowerCase().replaceAll(/\s/g, '')

/** The text with katakana as hiragana, but with its long vowel marks, and without spaces. */
const hiragana = (text: string): string =>
  normalize(text, 'NFKC')
    .replaceAll(/\s/g, '')
    .replace(/[ァ-ヶ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))

/** Without the other spellings. */
export const asTyped = ({ texts, words, ...more }: ParsedQuery): ParsedQuery => ({
  ...more,
  texts: texts.slice(0, 1),
  words: words.slice(0, 1),
})

/**
 * Without the other spellings that contain Han characters. A label that contains one of these is usually another form
 * of a label that contains the query as typed, since titles do not mix Han characters with romaji.
 */
export function asWritten({ texts, words, ...more }: ParsedQuery): ParsedQuery {
  const isWritten = (text: string, at: number) => at === 0 || !HAN.test(text)
  return { ...more, texts: texts.filter(isWritten), words: words.filter((each, at) => isWritten(each.join(''), at)) }
}

// The rank of a match, most important first; smaller is better. `place` is where the query was found: at the start of a
// word before the middle of one; with typos, as the whole text before whole words before a beginning. `form` is whether
// it has other forms of the Han characters that were typed.
type Score = [level: number, typos: number, place: number, spelling: number, form: number, lengthDifference: number]
type Scored = { candidate: Candidate; score: Score }
/** The match kinds by level: a word as typed ranks before a beginning that only sounds like it. */
const LEVELS: MatchKind[] = ['exact', 'prefix', 'inside', 'prefix', 'inside', 'typo']
const [EXACT, PREFIX, WORD, READ_PREFIX, INSIDE, TYPO] = [0, 1, 2, 3, 4, 5]

/**
 * Ranks candidates as they are added: the best match of each entity, ordered by level, then fewer typos, the beginning
 * of a word before its middle, the text as typed before its other spellings and other forms of its Han characters, and
 * texts of similar length. Candidates that do not match are ignored. The result does not depend on the order of adding.
 */
export function ranking(asked: ParsedQuery) {
  const best = new Map<string, Scored>()
  return {
    add: (candidate: Candidate): void => {
      const score = scoreOf(asked, candidate)
      if (!score) return
      const scored = { candidate, score }
      const known = best.get(candidate.entityId)
      if (!known || compare(scored, known) < 0) best.set(candidate.entityId, scored)
    },
    count: (): number => best.size,
    /** The number of matches with at most one typo. */
    countNear: (): number => [...best.values()].filter(({ score }) => score[1] <= 1).length,
    /** The number of matches that contain the query, or all its words. */
    countHolding: (): number => [...best.values()].filter(({ score }) => score[0] < TYPO).length,
    /** The number of matches that begin with the query, in the script in which it was typed. */
    countBeginning: (): number => [...best.values()].filter(({ score }) => score[0] <= PREFIX).length,
    /** The number of matches that begin with the query, or have it as a word exactly as typed. */
    countWords: (): number =>
      [...best.values()].filter(
        ({ score: [level, , , spelling] }) => level <= PREFIX || (level === WORD && spelling === 0),
      ).length,
    has: (kind: MatchKind): boolean => [...best.values()].some(({ score }) => LEVELS[score[0]] === kind),
    /** Whether a match equals the query, begins with it, or has a word that begins with it, as typed. */
    hasAsTyped: (): boolean => [...best.values()].some(({ score }) => isAsTyped(score)),
    first: (limit: number): Match[] =>
      [...best.values()]
        .toSorted(compare)
        .slice(0, limit)
        .map(({ candidate: { entityId, text, language }, score }) => ({
          entityId,
          text,
          language,
          kind: LEVELS[score[0]] ?? 'typo',
        })),
  }
}

/**
 * A match inside a word, of separate words, or of another spelling may be coincidence: then the query may have typos.
 */
const isAsTyped = ([level, , place, spelling]: Score): boolean =>
  level === EXACT || (level < TYPO && place === 0 && spelling === 0)

function compare(a: Scored, b: Scored): number {
  for (const [at, value] of a.score.entries()) {
    const difference = value - (b.score[at] ?? 0)
    if (difference !== 0) return difference
  }
  const keys = ['entityId', 'language', 'text', 'compact'] as const
  const key = keys.find((name) => a.candidate[name] !== b.candidate[name])
  if (!key) return 0
  return a.candidate[key] < b.candidate[key] ? -1 : 1
}

function scoreOf(asked: ParsedQuery, candidate: Candidate): Score | undefined {
  const { texts, words } = asked
  const found = candidate.compact
  const lengthOver = (text: string) => Math.abs(lengthOf(found) - lengthOf(text))
  const form = asked.han !== undefined && !unspaced(candidate.text).includes(asked.han) ? 1 : 0
  const exact = texts.indexOf(found)
  if (exact >= 0) return [EXACT, 0, 0, exact, form, 0]
  const prefix = texts.findIndex((text) => found.startsWith(text))
  if (prefix >= 0) {
    const level = isReading(asked, prefix, candidate) ? READ_PREFIX : PREFIX
    return [level, 0, 0, prefix, form, lengthOver(texts[prefix] ?? '')]
  }
  const inside = texts.findIndex((text) => lengthOf(text) > 1 && found.includes(text))
  if (inside >= 0) {
    const text = texts[inside] ?? ''
    const { starts, isWhole } = wordIn(text, candidate)
    const level = isWhole && !isReading(asked, inside, candidate) ? WORD : INSIDE
    return [level, 0, starts ? 0 : 1, inside, form, lengthOver(text)]
  }
  // Words in another order, or with others between them.
  const apart = words.findIndex((each) => each.every((word) => found.includes(word)))
  if (apart >= 0) return [INSIDE, 0, 2, apart, form, lengthOver((words[apart] ?? []).join(''))]
  return typoScore(asked, candidate)
}

function typoScore({ texts, words }: ParsedQuery, candidate: Candidate): Score | undefined {
  const found = candidate.compact
  const starts = wordStarts(candidate)
  let best: Score | undefined
  const offer = (score: Score) => {
    if (!best || (score[1] - best[1] || score[2] - best[2] || score[5] - best[5]) < 0) best = score
  }
  for (const [spelling, text] of texts.entries()) {
    const max = allowedTypos(lengthOf(text))
    if (max === 0) continue
    const difference = Math.abs(lengthOf(found) - lengthOf(text))
    const whole = distance(text, found, max)
    if (whole <= max) offer([TYPO, whole, 0, spelling, 0, difference])
    const { part, words: toWords } = distanceToPart(text, found, starts, max)
    if (toWords <= max) offer([TYPO, toWords, 1, spelling, 0, difference])
    if (part < toWords && part <= max) offer([TYPO, part, 2, spelling, 0, difference])
  }
  for (const [spelling, each] of words.entries()) {
    const typos = wordTypos(each, found, starts)
    if (typos !== undefined) offer([TYPO, typos, 3, spelling, 0, Math.abs(lengthOf(found) - lengthOf(each.join('')))])
  }
  return best
}

/** The total typos of all words, each found at the start of a word; undefined if one is not found. */
function wordTypos(words: string[], found: string, starts: number[]): number | undefined {
  let typos = 0
  for (const word of words) {
    const max = allowedTypos(lengthOf(word))
    const nearest = distanceToPart(word, found, starts, max).part
    typos += nearest
    if (nearest > max || typos > 2) return undefined
  }
  return typos > 0 ? typos : undefined
}

/**
 * Whether the match is only by sound: by a transliteration of the text or of the query, or without the long vowels that
 * were typed.
 */
function isReading({ texts, long }: ParsedQuery, spelling: number, { text, compact: found }: Candidate): boolean {
  const typed = texts[0] ?? ''
  if (long !== undefined && !hiragana(text).includes(long)) return true
  const isRead = !KANA.test(found) && (KANA.test(text) || (HAN.test(text) && !HAN.test(found)))
  return isRead || (KANA.test(typed) && !KANA.test(texts[spelling] ?? typed))
}

/** Whether `text` is at the start of a word, and whether it is a whole word there. */
function wordIn(text: string, candidate: Candidate): { starts: boolean; isWhole: boolean } {
  const found = candidate.compact
  const borders = wordStarts(candidate)
  const [length, end] = [lengthOf(text), lengthOf(found)]
  let starts = false
  for (let unit = found.indexOf(text); unit >= 0; unit = found.indexOf(text, unit + 1)) {
    const at = lengthOf(found.slice(0, unit))
    if (!borders.includes(at)) continue
    if (at + length === end || borders.includes(at + length)) return { starts: true, isWhole: true }
    starts = true
  }
  return { starts, isWhole: false }
}

/** Where words start in the compact form, in characters. In scripts without spaces, every character starts a word. */
function wordStarts({ text, compact: found }: Candidate): number[] {
  const folded = fold(text)
  const spaced = compact(folded) === found ? folded : labelVariants(text).find((each) => compact(each) === found)
  const starts: number[] = []
  let at = 0
  let isWordStart = true
  for (const char of spaced ?? found) {
    if (char === ' ') {
      isWordStart = true
      continue
    }
    if (isWordStart || UNSPACED.test(char)) starts.push(at)
    isWordStart = false
    at++
  }
  return starts
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u

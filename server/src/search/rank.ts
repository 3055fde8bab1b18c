import { lengthOf } from './chars.ts'
import { compact, fold, variants } from './fold.ts'
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

/** A query in every spelling that it is asked in. */
export interface ParsedQuery {
  /** Its variants without spaces; what was typed comes first. */
  texts: string[]
  /** The words of each variant that has several. */
  words: string[][]
}

/** A query as it is asked; no texts when there is nothing in it to search for. */
export function parseQuery(query: string): ParsedQuery {
  const spellings = variants(query)
  return {
    texts: [...new Set(spellings.map(compact))].filter((text) => text !== ''),
    words: spellings.map((text) => text.split(' ')).filter((words) => words.length > 1),
  }
}

/** Without all further spellings. */
export const asTyped = ({ texts, words }: ParsedQuery): ParsedQuery => ({
  texts: texts.slice(0, 1),
  words: words.slice(0, 1),
})

/**
 * Without the further spellings that have Han characters: what holds one of them is mostly another form of a label that
 * holds the query as it was typed, since no title mixes them with Latin letters.
 */
export function asWritten({ texts, words }: ParsedQuery): ParsedQuery {
  const isWritten = (text: string, at: number) => at === 0 || !HAN.test(text)
  return { texts: texts.filter(isWritten), words: words.filter((each, at) => isWritten(each.join(''), at)) }
}

// How good a match is, most important first; smaller is better. The place is where in the text the query was found: at
// the start of a word before the middle of one, and with typos the whole text before whole words before a beginning.
type Score = [level: number, typos: number, place: number, spelling: number, lengthDifference: number]
type Scored = { candidate: Candidate; score: Score }
/** The kinds by level: a word that is in the text as it was typed comes before a beginning that only sounds like it. */
const LEVELS: MatchKind[] = ['exact', 'prefix', 'inside', 'prefix', 'inside', 'typo']
const [EXACT, PREFIX, WORD, READ_PREFIX, INSIDE, TYPO] = [0, 1, 2, 3, 4, 5]

/**
 * Ranks candidates as they come: the best match of each entity, best first: by level, then fewer typos, the beginning of
 * a word before its middle, what was typed before its other spellings, and texts of nearly the length asked for.
 * Candidates that do not match are left out. The order does not depend on that in which they come.
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
    /** How many hold the query but for one mistake at most. */
    countNear: (): number => [...best.values()].filter(({ score }) => score[1] <= 1).length,
    /** How many hold the query, or all its words. */
    countHolding: (): number => [...best.values()].filter(({ score }) => score[0] < TYPO).length,
    /** How many begin with what was typed, in the script in which it was typed. */
    countBeginning: (): number => [...best.values()].filter(({ score }) => score[0] <= PREFIX).length,
    /** How many begin with what was typed, or have it as a word, just as it was typed. */
    countWords: (): number =>
      [...best.values()].filter(
        ({ score: [level, , , spelling] }) => level <= PREFIX || (level === WORD && spelling === 0),
      ).length,
    has: (kind: MatchKind): boolean => [...best.values()].some(({ score }) => LEVELS[score[0]] === kind),
    /** Whether something is what was asked for, or begins with what was typed, or has a word that does. */
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

/** A part of a word, words apart, or another way to spell what was typed may be chance: then it may be mistyped too. */
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

function scoreOf({ texts, words }: ParsedQuery, candidate: Candidate): Score | undefined {
  const found = candidate.compact
  const lengthOver = (text: string) => Math.abs(lengthOf(found) - lengthOf(text))
  const exact = texts.indexOf(found)
  if (exact >= 0) return [EXACT, 0, 0, exact, 0]
  const prefix = texts.findIndex((text) => found.startsWith(text))
  if (prefix >= 0) {
    const level = isReading(texts, prefix, candidate) ? READ_PREFIX : PREFIX
    return [level, 0, 0, prefix, lengthOver(texts[prefix] ?? '')]
  }
  const inside = texts.findIndex((text) => lengthOf(text) > 1 && found.includes(text))
  if (inside >= 0) {
    const text = texts[inside] ?? ''
    const { starts, isWhole } = wordIn(text, candidate)
    const level = isWhole && !isReading(texts, inside, candidate) ? WORD : INSIDE
    return [level, 0, starts ? 0 : 1, inside, lengthOver(text)]
  }
  // Words in another order, or with others between them.
  const apart = words.findIndex((each) => each.every((word) => found.includes(word)))
  if (apart >= 0) return [INSIDE, 0, 2, apart, lengthOver((words[apart] ?? []).join(''))]
  return typoScore({ texts, words }, candidate)
}

function typoScore({ texts, words }: ParsedQuery, candidate: Candidate): Score | undefined {
  const found = candidate.compact
  const starts = wordStarts(candidate)
  let best: Score | undefined
  const offer = (score: Score) => {
    if (!best || (score[1] - best[1] || score[2] - best[2] || score[4] - best[4]) < 0) best = score
  }
  for (const [spelling, text] of texts.entries()) {
    const max = allowedTypos(lengthOf(text))
    if (max === 0) continue
    const difference = Math.abs(lengthOf(found) - lengthOf(text))
    const whole = distance(text, found, max)
    if (whole <= max) offer([TYPO, whole, 0, spelling, difference])
    const { part, words: toWords } = distanceToPart(text, found, starts, max)
    if (toWords <= max) offer([TYPO, toWords, 1, spelling, difference])
    if (part < toWords && part <= max) offer([TYPO, part, 2, spelling, difference])
  }
  for (const [spelling, each] of words.entries()) {
    const typos = wordTypos(each, found, starts)
    if (typos !== undefined) offer([TYPO, typos, 3, spelling, Math.abs(lengthOf(found) - lengthOf(each.join('')))])
  }
  return best
}

/** The typos of all words together, each found somewhere at the start of a word; undefined when one is not. */
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

/** Whether kana was read in Latin letters to find a match, of the text or of what was typed. */
function isReading(texts: readonly string[], spelling: number, { text, compact: found }: Candidate): boolean {
  const typed = texts[0] ?? ''
  return (KANA.test(text) && !KANA.test(found)) || (KANA.test(typed) && !KANA.test(texts[spelling] ?? typed))
}

/** Whether `text` stands at the start of a word somewhere, and whether it also ends with one there. */
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

/** Where words start in the compact form, in characters. Scripts without spaces start one with every character. */
function wordStarts({ text, compact: found }: Candidate): number[] {
  const folded = fold(text)
  const spaced = compact(folded) === found ? folded : variants(text).find((each) => compact(each) === found)
  const starts: number[] = []
  let at = 0
  let fresh = true
  for (const char of spaced ?? found) {
    if (char === ' ') {
      fresh = true
      continue
    }
    if (fresh || UNSPACED.test(char)) starts.push(at)
    fresh = false
    at++
  }
  return starts
}

const HAN = /\p{Script=Han}/u
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u

import { lengthOf } from './chars.ts'
import { compact, fold, variants } from './fold.ts'
import { allowedTypos, distance, distanceToPrefix } from './typo.ts'

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
export interface Asked {
  /** Its variants without spaces; what was typed comes first. */
  texts: string[]
  /** The words of each variant that has several. */
  words: string[][]
}

/** A query as it is asked; no texts when there is nothing in it to search for. */
export function ask(query: string): Asked {
  const spellings = variants(query)
  return {
    texts: [...new Set(spellings.map(compact))].filter((text) => text !== ''),
    words: spellings.map((text) => text.split(' ')).filter((words) => words.length > 1),
  }
}

// How good a match is, most important first; smaller is better.
type Score = [kind: number, typos: number, midWord: number, spelling: number, lengthDifference: number]
type Scored = { candidate: Candidate; score: Score }
const KINDS: MatchKind[] = ['exact', 'prefix', 'inside', 'typo']

/**
 * The best match of each entity, best first: by kind, then fewer typos, the beginning of a word before its middle, what
 * was typed before its other spellings, and texts of nearly the length asked for. Candidates that do not match are left
 * out. The order depends on nothing but the arguments.
 */
export function rank(asked: Asked, candidates: Iterable<Candidate>, limit: number): Match[] {
  const best = new Map<string, Scored>()
  for (const candidate of candidates) {
    const score = scoreOf(asked, candidate)
    if (!score) continue
    const scored = { candidate, score }
    const known = best.get(candidate.entityId)
    if (!known || compare(scored, known) < 0) best.set(candidate.entityId, scored)
  }
  const ranked = [...best.values()].toSorted(compare).slice(0, limit)
  return ranked.map(({ candidate: { entityId, text, language }, score }) => ({
    entityId,
    text,
    language,
    kind: KINDS[score[0]] ?? 'typo',
  }))
}

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

function scoreOf({ texts, words }: Asked, candidate: Candidate): Score | undefined {
  const found = candidate.compact
  const lengthOver = (text: string) => Math.abs(lengthOf(found) - lengthOf(text))
  const exact = texts.indexOf(found)
  if (exact >= 0) return [0, 0, 0, exact, 0]
  const prefix = texts.findIndex((text) => found.startsWith(text))
  if (prefix >= 0) return [1, 0, 0, prefix, lengthOver(texts[prefix] ?? '')]
  const inside = texts.findIndex((text) => lengthOf(text) > 1 && found.includes(text))
  if (inside >= 0) {
    const text = texts[inside] ?? ''
    const atStart = wordStarts(candidate).some((start) => found.startsWith(text, start))
    return [2, 0, atStart ? 0 : 1, inside, lengthOver(text)]
  }
  // Words in another order, or with others between them.
  const apart = words.findIndex((each) => each.every((word) => found.includes(word)))
  if (apart >= 0) return [2, 0, 2, apart, lengthOver((words[apart] ?? []).join(''))]
  return typoScore({ texts, words }, candidate)
}

function typoScore({ texts, words }: Asked, candidate: Candidate): Score | undefined {
  const found = candidate.compact
  let best: Score | undefined
  const offer = (score: Score) => {
    if (!best || (score[1] - best[1] || score[2] - best[2] || score[4] - best[4]) < 0) best = score
  }
  const starts = texts.some((text) => allowedTypos(lengthOf(text)) > 0) ? wordStarts(candidate) : []
  for (const [spelling, text] of texts.entries()) {
    const length = lengthOf(text)
    const max = allowedTypos(length)
    if (max === 0) continue
    const difference = Math.abs(lengthOf(found) - length)
    const whole = distance(text, found, max)
    if (whole <= max) offer([3, whole, 0, spelling, difference])
    const part = Math.min(...starts.map((start) => distanceToPrefix(text, found.slice(start), max)))
    if (part <= max) offer([3, part, 1, spelling, difference])
  }
  for (const [spelling, each] of words.entries()) {
    const typos = wordTypos(
      each,
      starts.map((start) => found.slice(start)),
    )
    if (typos !== undefined) offer([3, typos, 2, spelling, Math.abs(found.length - each.join('').length)])
  }
  return best
}

/** The typos of all words together, each found somewhere at the start of a word; undefined when one is not. */
function wordTypos(words: string[], parts: string[]): number | undefined {
  let typos = 0
  for (const word of words) {
    const max = allowedTypos(lengthOf(word))
    const nearest = Math.min(...parts.map((part) => (part.startsWith(word) ? 0 : distanceToPrefix(word, part, max))))
    if (!(nearest <= max)) return undefined
    typos += nearest
  }
  return typos > 0 && typos <= 2 ? typos : undefined
}

/** Where words start in the compact form, in code units. Scripts without spaces start one with every character. */
function wordStarts({ text, compact: found }: Candidate): number[] {
  const spaced = compact(fold(text)) === found ? fold(text) : variants(text).find((each) => compact(each) === found)
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
    at += char.length
  }
  return starts
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]/u

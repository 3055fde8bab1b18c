// Searches in stages: texts that begin with the query, texts that contain it, and texts of which it may be a typo. Each
// stage reads a bounded number of labels (labelStore.ts), and only runs if the earlier ones found few.
import type { Kind } from '@mokuroku/contract/kinds'
import type { IndexState } from '@mokuroku/contract/search'
import { turns } from '#lib/turns.ts'
import { everyWord, fuzzySubstring, fuzzyWhole, fuzzyWords, wholeQuery } from './gramQuery.ts'
import {
  answering,
  AFTER_ASCII,
  beginningWith,
  beginningWithAny,
  ENDS_IN_ASCII,
  exactly,
  type Found,
  havingWords,
  holding,
  inSample,
  isInSample,
  MAX_NEAR,
  shortestBeginning,
  shortestHolding,
} from './labelStore.ts'
import { isLargeIndex, SAMPLE, wordsQuery } from './largeIndex.ts'
import { partialQueries } from './partialQueries.ts'
import { indexStatus } from './progress.ts'
import { asTyped, asWritten, type Candidate, type Match, type ParsedQuery, parseQuery, ranking } from './rank.ts'
import { TEXTS_PER_TURN } from './texts.ts'
import { neighbours } from './typo.ts'

/** Number of labels that a stage reads per requested match, and the minimum and maximum. */
const [LABELS_PER_MATCH, MIN_LABELS, MAX_LABELS] = [4, 200, 2000]

/** The state of a search. */
interface Search {
  kind: Kind
  q: string
  asked: ParsedQuery
  /** Maximum number of matches. */
  limit: number
  /** How many labels a stage reads at first, and at most. */
  firstLabels: number
  maxLabels: number
  /** Whether there are so many labels that a part of them is searched first (largeIndex.ts). */
  isLarge: boolean
  /** The matches read so far. */
  ranked: ReturnType<typeof ranking>
  /** Ranks labels that were not read before, and returns how many were read. */
  read(labels: Promise<Found[]>): Promise<number>
  /** Whether labels may be left that contain the query. */
  isCut(): boolean
}

/**
 * The entities that match `q`, best first: those with a text that equals the query, begins with it, or contains it or
 * all its words; if these are few, also those of which it may be a typo. If there are none, those that contain most of
 * its words (`isPartial`). With `language`, only its labels count. `isCut` says that more entities may contain the query
 * than were read.
 */
export async function find(
  kind: Kind,
  q: string,
  limit: number,
  language?: string,
): Promise<{ status: IndexState['status']; matches: Match[]; isCut: boolean; isPartial?: boolean }> {
  const isCounted: IsCounted = (label) => language === undefined || label.language === language
  const search = await begin(kind, q, limit, isCounted)
  const { asked, ranked } = search
  await readBeginnings(search)
  const written = asWritten(asked)
  await readHolding(search, written, true)
  if (ranked.countHolding() === 0 && written.texts.length < asked.texts.length) await readHolding(search, asked, false)
  const isCut = search.isCut()
  // A query that was found as typed is no typo.
  if (!ranked.hasAsTyped()) await readTypos(search)
  const status = await indexStatus()
  const matches = ranked.first(limit)
  if (matches.length > 0) return { status, matches, isCut }
  const partial = await withMostWords(kind, q, limit, isCounted)
  return { status, matches: partial, isCut, ...(partial.length > 0 && { isPartial: true }) }
}

type IsCounted = (label: Candidate) => boolean

async function begin(kind: Kind, q: string, limit: number, isCounted: IsCounted): Promise<Search> {
  const asked = parseQuery(q)
  const ranked = ranking(asked)
  const turn = turns()
  const seen = new Set<number>()
  const firstLabels = limit * LABELS_PER_MATCH
  const maxLabels = Math.min(Math.max(firstLabels, MIN_LABELS), MAX_LABELS)
  let mayBeMore = false
  return {
    kind,
    q,
    asked,
    limit,
    firstLabels,
    maxLabels,
    isLarge: await isLargeIndex(),
    ranked,
    read: async (labels) => {
      const rows = await labels
      for (const [at, label] of rows.entries()) {
        if (at % TEXTS_PER_TURN === 0) await turn()
        if (!seen.has(label.id) && isCounted(label)) ranked.add(label)
        seen.add(label.id)
      }
      mayBeMore ||= rows.length >= maxLabels
      return rows.length
    },
    isCut: () => mayBeMore || ranked.count() >= limit,
  }
}

/** Reads texts that begin with the query, in all its spellings. */
async function readBeginnings(search: Search): Promise<void> {
  const { kind, asked, firstLabels, read } = search
  const [first, ...others] = asked.texts
  if (first !== undefined) await readBeginning(search, first)
  await Promise.all(
    others.map((text) => (isFull(search) ? read(exactly(kind, text, firstLabels)) : readBeginning(search, text))),
  )
}

async function readBeginning(search: Search, text: string): Promise<void> {
  const { kind, firstLabels, maxLabels, read } = search
  const readShortest = (after: string) => read(shortestBeginning(kind, text, after, maxLabels, firstLabels))
  if (firstLabels < maxLabels) {
    if ((await readShortest('')) < firstLabels || isFull(search)) return
    if (!ENDS_IN_ASCII.test(text)) await readShortest(AFTER_ASCII)
    if (isFull(search)) return
  }
  await read(beginningWith(kind, text, maxLabels))
}

/** One more than requested, since there may be better labels for the last match read. */
const isFull = ({ ranked, limit }: Search): boolean => ranked.countBeginning() > limit

/**
 * Reads texts that contain a query, or all its words. Only the first of two calls tries the text as typed separately.
 */
async function readHolding(search: Search, query: ParsedQuery, isFirst: boolean): Promise<void> {
  const { kind, limit, firstLabels, maxLabels, isLarge, ranked, read } = search
  const [whole, each] = [wholeQuery(query), everyWord(query)]
  const hasFew = () => ranked.countBeginning() < limit
  const isFilled = async (heldBy: typeof wholeQuery) => isFirst && (await isFilledBy(search, heldBy))
  // Among millions of labels the query is slow, so as many as possible are read at once.
  const atFirst = isLarge ? maxLabels : Math.min(firstLabels, maxLabels)
  // Matches by sound do not count in `hasFew`, since texts with the exact word rank higher. If all texts with the words
  // were read, those with the whole query are among them.
  const hasAll =
    hasFew() && each && !(await isFilled(everyWord)) && (await read(holding(kind, each, firstLabels))) < firstLabels
  // As for prefixes: a full page of the shortest texts with the exact word cannot be improved.
  if (whole && !hasAll && hasFew() && !(await isFilled(wholeQuery))) {
    const count = await read(shortestHolding(kind, whole, maxLabels, atFirst))
    if (count === atFirst && atFirst < maxLabels && ranked.countWords() <= limit)
      await read(holding(kind, whole, maxLabels))
  }
  if (each && !hasAll && ranked.countHolding() < limit) await read(holding(kind, each, maxLabels))
}

/** Among millions of labels: whether matches from the sample, or with the words as typed, fill the page. */
async function isFilledBy(
  { kind, q, asked, limit, firstLabels, maxLabels, isLarge, ranked, read }: Search,
  heldBy: typeof wholeQuery,
) {
  // Only the text as typed: other spellings may be shorter or more common, and would displace it.
  const held = isLarge ? heldBy(asTyped(asked)) : undefined
  if (!held) return false
  const enough = firstLabels < maxLabels ? SAMPLE.enough : maxLabels
  if ((await read(inSample(kind, held, enough))) === enough && ranked.countHolding() >= limit) return true
  const words = firstLabels < maxLabels ? wordsQuery(q) : undefined
  if (words === undefined) return false
  await read(havingWords(kind, words, held, enough))
  return ranked.countHolding() >= limit
}

/** Reads texts of which the query may be a typo. */
async function readTypos({ kind, asked, limit, isLarge, ranked, read }: Search): Promise<void> {
  const near = neighbours(asked.texts[0] ?? '')
  if (near.length > 0) await read(beginningWithAny(kind, near))
  const [part, whole, words] = [fuzzySubstring(asked), fuzzyWhole(asked), fuzzyWords(asked)]
  if (isLarge && part && limit < MAX_NEAR) {
    await read(answering(kind, part, MAX_NEAR, isInSample))
    // A page of matches with at most one mistake cannot be improved.
    if (ranked.countNear() > limit) return
  }
  const isCut = part && (await read(answering(kind, part, MAX_NEAR))) === MAX_NEAR
  if (isCut && whole) await read(answering(kind, whole, MAX_NEAR))
  if (words && !ranked.has('typo')) await read(answering(kind, words, MAX_NEAR))
}

/** Texts that contain most words of a query, if none contains all: first without one word, then without two. */
async function withMostWords(kind: Kind, q: string, limit: number, isCounted: IsCounted): Promise<Match[]> {
  const turn = turns()
  for (const queries of partialQueries(q)) {
    const found = new Map<string, { match: Match; times: number }>()
    for (const query of queries) {
      const asked = parseQuery(query)
      const [ranked, each] = [ranking(asked), everyWord(asked)]
      if (!each) continue
      for (const [at, label] of (await holding(kind, each, MIN_LABELS)).entries()) {
        if (at % TEXTS_PER_TURN === 0) await turn()
        if (isCounted(label)) ranked.add(label)
      }
      for (const match of ranked.first(limit)) {
        const times = (found.get(match.entityId)?.times ?? 0) + 1
        found.set(match.entityId, { match: found.get(match.entityId)?.match ?? match, times })
      }
    }
    // Entities found by several queries contain the most words.
    const best = [...found.values()].toSorted((one, other) => other.times - one.times)
    if (best.length > 0) return best.slice(0, limit).map(({ match }) => match)
  }
  return []
}

// What a text finds, in stages: what begins with it, what holds it, and what it may be a mistyping of. A stage reads a
// bounded number of labels (labelStore.ts), and is done only while the stages before it found few.
import type { Kind } from '@mokuroku/contract/kinds'
import type { IndexState } from '@mokuroku/contract/search'
import { everyWord, type Held, fuzzySubstring, fuzzyWhole, fuzzyWords, wholeQuery } from './gramQuery.ts'
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
import { hasMillions, SAMPLE, wordsQuery } from './millions.ts'
import { withoutSome } from './mostWords.ts'
import { indexStatus } from './progress.ts'
import { asTyped, asWritten, type Candidate, type Match, type ParsedQuery, parseQuery, ranking } from './rank.ts'
import { neighbours } from './typo.ts'

/** How many labels a stage reads for a match it may give, and at least and at most. */
const [LABELS_PER_MATCH, MIN_LABELS, MAX_LABELS] = [4, 200, 2000]

/** A search under way. */
interface Search {
  kind: Kind
  q: string
  asked: ParsedQuery
  /** How many matches it may give. */
  limit: number
  /** How many labels a stage reads at first, and at most. */
  some: number
  most: number
  /** Whether there are so many labels that a part of them is asked first (millions.ts). */
  areMillions: boolean
  /** What was read so far. */
  ranked: ReturnType<typeof ranking>
  /** Ranks labels that were not read yet, and answers how many there were. */
  read(labels: Promise<Found[]>): Promise<number>
}

/**
 * The entities that `q` finds, best first: those with a text that is the query, begins with it, holds it or all its words,
 * and, when they are few, those that it may be a mistyping of; where there are none, those that hold most of its words
 * (`isPartial`). Labels that do not count are passed over.
 */
export async function find(
  kind: Kind,
  q: string,
  limit: number,
  counts: (label: Candidate) => boolean = () => true,
): Promise<{ status: IndexState['status']; matches: Match[]; isPartial?: boolean }> {
  const search = await begin(kind, q, limit, counts)
  const { asked, ranked } = search
  await readBeginnings(search)
  const written = asWritten(asked)
  await readHolding(search, written, true)
  if (ranked.countHolding() === 0 && written.texts.length < asked.texts.length) await readHolding(search, asked, false)
  // What is there as it was typed was not mistyped.
  if (!ranked.hasAsTyped()) await readTypos(search)
  const status = await indexStatus()
  const matches = ranked.first(limit)
  if (matches.length > 0) return { status, matches }
  const partial = await withMostWords(kind, q, limit, counts)
  return { status, matches: partial, ...(partial.length > 0 && { isPartial: true }) }
}

async function begin(kind: Kind, q: string, limit: number, counts: (label: Candidate) => boolean): Promise<Search> {
  const asked = parseQuery(q)
  const ranked = ranking(asked)
  const seen = new Set<number>()
  const some = limit * LABELS_PER_MATCH
  return {
    kind,
    q,
    asked,
    limit,
    some,
    most: Math.min(Math.max(some, MIN_LABELS), MAX_LABELS),
    areMillions: await hasMillions(),
    ranked,
    read: async (labels) => {
      const rows = await labels
      for (const label of rows) if (!seen.has(label.id) && counts(label)) ranked.add(label)
      for (const { id } of rows) seen.add(id)
      return rows.length
    },
  }
}

/** Reads what begins with the query, in all its spellings. */
async function readBeginnings(search: Search): Promise<void> {
  const { kind, asked, some, read } = search
  const [first, ...others] = asked.texts
  if (first !== undefined) await readBeginning(search, first)
  await Promise.all(
    others.map((text) => (isFull(search) ? read(exactly(kind, text, some)) : readBeginning(search, text))),
  )
}

async function readBeginning(search: Search, text: string): Promise<void> {
  const { kind, some, most, read } = search
  const readShortest = (after: string) => read(shortestBeginning(kind, text, after, most, some))
  if (some < most) {
    if ((await readShortest('')) < some || isFull(search)) return
    if (!ENDS_IN_ASCII.test(text)) await readShortest(AFTER_ASCII)
    if (isFull(search)) return
  }
  await read(beginningWith(kind, text, most))
}

/** One more than asked for: of the last that was read, there may be better labels. */
const isFull = ({ ranked, limit }: Search): boolean => ranked.countBeginning() > limit

/** Reads what holds a query, or all its words. What was typed is asked for in the `first` of two readings. */
async function readHolding(search: Search, query: ParsedQuery, first: boolean): Promise<void> {
  const { kind, limit, some, most, areMillions, ranked, read } = search
  const [whole, each] = [wholeQuery(query), everyWord(query)]
  const hasFew = () => ranked.countBeginning() < limit
  const isFilled = async (heldBy: typeof wholeQuery) => first && (await isFilledBy(search, heldBy))
  // What takes long to find is asked for once.
  const readShortest = (held: Held) => read(shortestHolding(kind, held, most, areMillions ? most : some))
  // What sounds like it gives way to texts with the very word. What holds the query holds its words.
  const hasAll = hasFew() && each && !(await isFilled(everyWord)) && (await read(holding(kind, each, some))) < some
  // As with what begins with it: a page full of the shortest texts that have the very word is the best there is.
  if (whole && !hasAll && hasFew() && !(await isFilled(wholeQuery)))
    if (some >= most || ((await readShortest(whole)) === some && ranked.countWords() <= limit))
      await read(holding(kind, whole, most))
  if (each && !hasAll && ranked.countHolding() < limit) await read(holding(kind, each, most))
}

/** Among millions of labels: whether those of the sample, or with the words as they were typed, fill the page. */
async function isFilledBy(
  { kind, q, asked, limit, some, most, areMillions, ranked, read }: Search,
  heldBy: typeof wholeQuery,
) {
  // Other spellings are shorter, or more common, and would take its place.
  const held = areMillions ? heldBy(asTyped(asked)) : undefined
  if (!held) return false
  const enough = some < most ? SAMPLE.enough : most
  if ((await read(inSample(kind, held, enough))) === enough && ranked.countHolding() >= limit) return true
  const words = some < most ? wordsQuery(q) : undefined
  if (words === undefined) return false
  await read(havingWords(kind, words, held, enough))
  return ranked.countHolding() >= limit
}

/** Reads what the query may be a mistyping of. */
async function readTypos({ kind, asked, limit, areMillions, ranked, read }: Search): Promise<void> {
  const near = neighbours(asked.texts[0] ?? '')
  if (near.length > 0) await read(beginningWithAny(kind, near))
  const [part, whole, words] = [fuzzySubstring(asked), fuzzyWhole(asked), fuzzyWords(asked)]
  if (areMillions && part && limit < MAX_NEAR) {
    await read(answering(kind, part, MAX_NEAR, isInSample))
    // Fewer mistakes there cannot be.
    if (ranked.countNear() > limit) return
  }
  const isCut = part && (await read(answering(kind, part, MAX_NEAR))) === MAX_NEAR
  if (isCut && whole) await read(answering(kind, whole, MAX_NEAR))
  if (words && !ranked.has('typo')) await read(answering(kind, words, MAX_NEAR))
}

/** What holds most of the words of a query that nothing holds all of: first without one word, then without two. */
async function withMostWords(
  kind: Kind,
  q: string,
  limit: number,
  counts: (label: Candidate) => boolean,
): Promise<Match[]> {
  for (const queries of withoutSome(q)) {
    const found = new Map<string, { match: Match; times: number }>()
    for (const query of queries) {
      const asked = parseQuery(query)
      const [ranked, each] = [ranking(asked), everyWord(asked)]
      if (!each) continue
      for (const label of await holding(kind, each, MIN_LABELS)) if (counts(label)) ranked.add(label)
      for (const match of ranked.first(limit)) {
        const times = (found.get(match.entityId)?.times ?? 0) + 1
        found.set(match.entityId, { match: found.get(match.entityId)?.match ?? match, times })
      }
    }
    // What several ways find has the most of the words together.
    const best = [...found.values()].toSorted((one, other) => other.times - one.times)
    if (best.length > 0) return best.slice(0, limit).map(({ match }) => match)
  }
  return []
}

import type { IndexState } from '@mokuroku/contract/search'
import { type RawBuilder, sql, type Transaction } from 'kysely'
import { db, engine, send } from '#database/db.ts'
import { together } from '#database/executor.ts'
import { oneOf } from '#database/oneOf.ts'
import { type Asked, statement } from '#database/statement.ts'
import type { Label } from '#ledger/definition.ts'
import { indexWith } from '#ledger/record.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import type { Tables } from '#database/tables.ts'
import { changedLabels, indexTokens, keyOf, kindPrefix, type NewLabel, rowsOf } from './entries.ts'
import { tsVector } from './grams.ts'
import { withoutSome } from './mostWords.ts'
import { hasMillions, SAMPLE, WORDS, wordsQuery } from './millions.ts'
import { indexStatus } from './progress.ts'
import { asTyped, asWritten, parseQuery, type Candidate, type Match, type ParsedQuery, ranking } from './rank.ts'
import { rankAmong, spellings } from './texts.ts'
import { type ReadLabel, withReadings } from './readings.ts'
import { neighbours } from './typo.ts'
import {
  everyWord,
  ftsQuery,
  type Held,
  fuzzySubstring,
  tsQuery,
  type GramQuery,
  fuzzyWhole,
  wholeQuery,
  fuzzyWords,
} from './gramQuery.ts'

/**
 * How many labels a stage reads for a match it may give, at least and at most; for typos, which must be proven; and how
 * many times as many are sorted.
 */
const LABELS = { each: 4, least: 200, most: 2000, near: 500, neighbour: 20, sorted: 4 }
/** How many matches of a search a list can page through. */
const MAX_MATCHES = 1000

type Tx = Transaction<Tables>
type Found = Candidate & { id: number }

export const search = {
  /**
   * The entities that `q` finds, best first: those with a text that is the query, begins with it, holds it or all its
   * words, and, when they are few, those that it may be a mistyping of. Each stage reads a bounded number of labels.
   * Labels that do not count are passed over.
   */
  find: async (
    kind: Kind,
    q: string,
    limit: number,
    counts: (label: Candidate) => boolean = () => true,
  ): Promise<{ status: IndexState['status']; matches: Match[]; isPartial?: boolean }> => {
    const asked = parseQuery(q)
    const some = limit * LABELS.each
    const most = Math.min(Math.max(some, LABELS.least), LABELS.most)
    const areMillions = await hasMillions()
    const enough = some < most ? SAMPLE.enough : most
    // What takes long to find is asked for once.
    const shortest = areMillions ? most : some
    const ranked = ranking(asked)
    const seen = new Set<number>()
    const read = async (labels: Promise<Found[]>) => {
      const rows = await labels
      for (const label of rows) if (!seen.has(label.id) && counts(label)) ranked.add(label)
      for (const { id } of rows) seen.add(id)
      return rows.length
    }
    const readTypos = async () => {
      const near = neighbours(asked.texts[0] ?? '')
      if (near.length > 0) await read(beginningWithAny(kind, near))
      const [part, whole, words] = [fuzzySubstring(asked), fuzzyWhole(asked), fuzzyWords(asked)]
      if (areMillions && part && limit < LABELS.near) {
        await read(answering(kind, part, LABELS.near, isInSample))
        // Fewer mistakes there cannot be.
        if (ranked.countNear() > limit) return
      }
      const isCut = part && (await read(answering(kind, part, LABELS.near))) === LABELS.near
      if (isCut && whole) await read(answering(kind, whole, LABELS.near))
      if (words && !ranked.has('typo')) await read(answering(kind, words, LABELS.near))
    }
    // One more than asked for: of the last that was read, there may be better labels.
    const isFull = () => ranked.countBeginning() > limit
    const hasWords = () => ranked.countWords() > limit
    const readBeginning = async (text: string) => {
      const readShortest = (after: string) => read(shortestBeginning(kind, text, after, most, some))
      if (some < most) {
        if ((await readShortest('')) < some || isFull()) return
        if (!ENDS_IN_ASCII.test(text)) await readShortest(AFTER_ASCII)
        if (isFull()) return
      }
      await read(beginningWith(kind, text, most))
    }
    const [first, ...others] = asked.texts
    if (first !== undefined) await readBeginning(first)
    await Promise.all(others.map((text) => (isFull() ? read(exactly(db, kind, text, some)) : readBeginning(text))))
    const written = asWritten(asked)
    // Other spellings are shorter, or more common, and would take its place.
    const typed = asTyped(asked)
    const isFilledBy = async (heldBy: typeof wholeQuery) => {
      const held = areMillions ? heldBy(typed) : undefined
      if (!held) return false
      const holdEnough = () => ranked.countHolding() >= limit
      if ((await read(inSample(kind, held, enough))) === enough && holdEnough()) return true
      const words = some < most ? wordsQuery(q) : undefined
      if (words === undefined) return false
      await read(havingWords(kind, words, held, enough))
      return holdEnough()
    }
    const readHolding = async (query: ParsedQuery) => {
      const [whole, each] = [wholeQuery(query), everyWord(query)]
      const hasFew = () => ranked.countBeginning() < limit
      // What was typed is asked for in the first of two readings.
      const isFilled = async (heldBy: typeof wholeQuery) => query === written && (await isFilledBy(heldBy))
      // What sounds like it gives way to texts with the very word. What holds the query holds its words.
      const hasAll = hasFew() && each && !(await isFilled(everyWord)) && (await read(holding(kind, each, some))) < some
      // As with what begins with it: a page full of the shortest texts that have the very word is the best there is.
      if (whole && !hasAll && hasFew() && !(await isFilled(wholeQuery)))
        if (some >= most || ((await read(shortestHolding(kind, whole, most, shortest))) === some && !hasWords()))
          await read(holding(kind, whole, most))
      if (each && !hasAll && ranked.countHolding() < limit) await read(holding(kind, each, most))
    }
    await readHolding(written)
    if (ranked.countHolding() === 0 && written.texts.length < asked.texts.length) await readHolding(asked)
    // What is there as it was typed was not mistyped.
    if (!ranked.hasAsTyped()) await readTypos()
    const status = await indexStatus()
    const matches = ranked.first(limit)
    if (matches.length > 0) return { status, matches }
    const partial = await withMostWords(kind, q, limit, counts)
    return { status, matches: partial, ...(partial.length > 0 && { isPartial: true }) }
  },

  /** The ids of what `q` finds, as many as a list can page through. */
  ids: async (kind: Kind, q: string, counts?: (label: Candidate) => boolean): Promise<string[]> =>
    (await search.find(kind, q, MAX_MATCHES, counts)).matches.map(({ entityId }) => entityId),

  spellings,
  among: rankAmong,

  /** What is named so, whole, in any language: the texts it was found by, for each of the names. */
  named: async (tx: Pick<typeof db, 'selectFrom'>, kind: Kind, names: string[]): Promise<Map<string, Candidate[]>> => {
    const wanted = new Map(names.map((name) => [name, spellings(name)]))
    const all = [...new Set([...wanted.values()].flat())]
    if (all.length === 0) return new Map()
    const rows = await tx
      .selectFrom('labels')
      .select(['entityId', 'language', 'text', 'compact'])
      .where('kind', '=', kind)
      .where('compact', 'in', all)
      .orderBy('entityId')
      .limit(LABELS.most)
      .execute()
    return new Map([...wanted].map(([name, forms]) => [name, rows.filter((row) => forms.includes(row.compact))]))
  },

  /** Makes the labels of an entity, which were `before`, those given, writing only what differs. */
  index: async (tx: Tx, kind: Kind, entityId: string, before: Label[], labels: Label[]): Promise<void> => {
    const changed = changedLabels(before, labels)
    const [stored, read] = await together(
      changed ? labelsIn(tx, entityId, changed.languages) : labelsOf(tx, entityId),
      withReadings(changed?.labels ?? labels),
    )
    const wanted = new Map(rowsOf(kind, entityId, read).map((row) => [keyOf(row), row]))
    const gone = stored.filter((row) => !wanted.delete(keyOf(row))).map(({ id }) => id)
    drop(tx, gone)
    await insert(tx, [...wanted.values()])
  },

  /** As `index`, for entities that have no labels yet. */
  add: async (tx: Tx, kind: Kind, entities: { id: string; labels: Label[] }[]): Promise<void> => {
    const all = entities.flatMap(({ id, labels }) => labels.map((label) => ({ id, ...label })))
    const read = Map.groupBy((await withReadings(all)) as (ReadLabel & { id: string })[], ({ id }) => id)
    await insert(
      tx,
      [...read].flatMap(([id, labels]) => rowsOf(kind, id, labels)),
    )
  },

  /** As `index`, for what is not known to be as it was written. */
  reindex: async (tx: Tx, kind: Kind, entityId: string, labels: Label[]): Promise<void> => {
    const stored = await tx.selectFrom('labels').select('id').where('entityId', '=', entityId).execute()
    drop(
      tx,
      stored.map(({ id }) => id),
    )
    await insert(tx, rowsOf(kind, entityId, await withReadings(labels)))
  },

  /** Takes rows out of the index. */
  drop,
}

indexWith(search)

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
      for (const label of await holding(kind, each, LABELS.least)) if (counts(label)) ranked.add(label)
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

const labelsOf = statement((from, entityId: string) => labelsFrom(from, entityId))
const labelsIn = statement((from, entityId: string, languages: string[]) =>
  labelsFrom(from, entityId).where(oneOf('language', languages)),
)
const labelsFrom = (from: Asked, entityId: string) =>
  from
    .selectFrom('labels')
    .select(['id', 'kind', 'entityId', 'language', 'text', 'compact'])
    .where('entityId', '=', entityId)

/** Labels in the order of their folded text: those that are `text` come first. A range of one index. */
const beginningWith = (kind: Kind, text: string, most: number): Promise<Found[]> =>
  labelsBetween(db, kind, text, `${text}\u{10ffff}`, most)

const labelsBetween = statement((from, kind: Kind, first: string, end: string, most: number) =>
  from
    .selectFrom('labels')
    .select(['id', 'entityId', 'language', 'text', 'compact'])
    .where('kind', '=', kind)
    .where('compact', '>=', first)
    .where('compact', '<', end)
    .orderBy('compact')
    .orderBy('entityId')
    .limit(most),
)

/**
 * Of the first `most` labels that begin with `text`, and go on `after` it, the shortest, so that few rows are read: most
 * pages are full of them.
 */
const shortestBeginning = (kind: Kind, text: string, after: string, most: number, some: number): Promise<Found[]> =>
  shortestBetween(db, kind, text + after, `${text}\u{10ffff}`, most, some)

/** Readings in Latin letters come first in the index, and may be all that is read of what begins with other characters. */
const AFTER_ASCII = '\u{80}'
const ENDS_IN_ASCII = /[\0-\x7f]$/

const shortestBetween = statement((from, kind: Kind, first: string, end: string, most: number, some: number) => {
  const labels = from
    .selectFrom('labels')
    .select(['id', 'entityId', 'compact'])
    .where('kind', '=', kind)
    .where('compact', '>=', first)
    .where('compact', '<', end)
    .orderBy('compact')
    .orderBy('entityId')
    .limit(most)
  const ids = from
    .selectFrom(labels.as('beginning'))
    .select('id')
    .orderBy((each) => each.fn('length', ['compact']))
    .orderBy('entityId')
    .limit(some)
  return from.selectFrom('labels').select(['id', 'entityId', 'language', 'text', 'compact']).where('id', 'in', ids)
})

const exactly = statement((from, kind: Kind, text: string, most: number) =>
  from
    .selectFrom('labels')
    .select(['id', 'entityId', 'language', 'text', 'compact'])
    .where('kind', '=', kind)
    .where('compact', '=', text)
    .orderBy('entityId')
    .limit(most),
)

/** Labels that begin with one of many texts, some for each of them. */
async function beginningWithAny(kind: Kind, texts: string[]): Promise<Found[]> {
  const list = JSON.stringify(texts)
  const some = (text: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
    SELECT "id" FROM "labels" WHERE "kind" = ${kind} AND "compact" >= ${text} AND "compact" < ${text} || ${end}
    ORDER BY "compact", "entityId" LIMIT ${LABELS.neighbour}`
  const given = sql.raw('"given"."value"')
  const { rows } = await (
    engine === 'postgres'
      ? sql<Found>`
        SELECT "labels"."id", "entityId", "language", "text", "compact"
        FROM json_array_elements_text(${list}::json) WITH ORDINALITY AS "given"("value", "at")
        CROSS JOIN LATERAL (${some(sql`${given} COLLATE "C"`, sql`chr(1114111)`)}) AS "some"
        JOIN "labels" ON "labels"."id" = "some"."id"
        ORDER BY "given"."at", "compact", "entityId", "labels"."id" LIMIT ${LABELS.near}`
      : sql<Found>`
        SELECT "labels"."id", "entityId", "language", "text", "compact"
        FROM json_each(${list}) AS "given"
        CROSS JOIN "labels" ON "labels"."id" IN (${some(given, sql`char(1114111)`)}) LIMIT ${LABELS.near}`
  ).execute(db)
  return rows
}

/** Labels that hold texts: the index names those that may, and the database looks. */
const holding = (kind: Kind, held: Held, most: number): Promise<Found[]> =>
  answering(kind, held.grams, most, textsHold(held))

/** Of some of the labels that hold texts the shortest, so that few rows are read and ranked. */
const shortestHolding = (kind: Kind, held: Held, most: number, some: number): Promise<Found[]> =>
  shortestOf(labelsAnswering(kind, held.grams, most, textsHold(held)), some)

const isInSample = sql.raw(` AND ${SAMPLE.condition}`)

/** The shortest of some of the labels of the sample that hold texts. */
const inSample = (kind: Kind, held: Held, most: number): Promise<Found[]> =>
  shortestOf(labelsAnswering(kind, held.grams, most, sql`${textsHold(held)}${isInSample}`), most)

/** The shortest of some of the labels that hold texts, and have words. */
const havingWords = (kind: Kind, words: string, held: Held, most: number): Promise<Found[]> =>
  shortestOf(
    someLabels(
      sql`${sql.raw(WORDS.of)} @@ ${words}::tsquery AND ${sql.raw(WORDS.condition)} AND "kind" = ${kind} ${textsHold(held)}`,
      most,
    ),
    most,
  )

async function shortestOf(labels: RawBuilder<unknown>, some: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    SELECT * FROM (${labels}) AS "some" ORDER BY length("compact"), "entityId", "id" LIMIT ${some}`.execute(db)
  return rows
}

function textsHold({ anyOf }: Held): RawBuilder<unknown> {
  const holds = (text: string) => sql`${sql.raw(engine === 'postgres' ? 'strpos' : 'instr')}("compact", ${text}) > 0`
  const all = anyOf.map((texts) => sql`(${sql.join(texts.map(holds), sql` AND `)})`)
  return sql`AND (${sql.join(all, sql` OR `)})`
}

/**
 * Labels whose grams answer, as far as `most`. Which ones is up to the data and not to the plan of PostgreSQL, unless very
 * many answer: to sort a hundred thousand would keep who types waiting.
 */
async function answering(kind: Kind, wanted: GramQuery, most: number, and = sql``): Promise<Found[]> {
  const labels = labelsAnswering(kind, wanted, most, and)
  const sorted = sql`SELECT * FROM (${labels}) AS "some" ORDER BY "compact", "entityId", "id" LIMIT ${most}`
  return (await sql<Found>`${engine === 'postgres' ? sorted : labels}`.execute(db)).rows
}

/** Labels whose grams answer, as far as `most`; on PostgreSQL in any order, and as many as are sorted then. */
const labelsAnswering = (kind: Kind, wanted: GramQuery, most: number, and: RawBuilder<unknown>): RawBuilder<unknown> =>
  engine === 'postgres'
    ? someLabels(sql`"grams" @@ ${tsQuery(wanted, kindPrefix(kind))}::tsquery ${and}`, most)
    : sql`
      SELECT "labels"."id", "entityId", "language", "text", "compact"
      FROM "labelGrams" JOIN "labels" ON "labels"."id" = "labelGrams"."rowid"
      WHERE "labelGrams" MATCH ${ftsQuery(wanted, kindPrefix(kind))} ${and}
      ORDER BY "labelGrams"."rowid" LIMIT ${most}`

/**
 * As many labels as are sorted for `most`. How many that is PostgreSQL must see when it plans: of an unknown share of them
 * it believes that reading all labels finds it sooner.
 */
const someLabels = (where: RawBuilder<unknown>, most: number): RawBuilder<unknown> => sql`
  SELECT "id", "entityId", "language", "text", "compact" FROM "labels" WHERE ${where}
  LIMIT ${sql.lit(most * LABELS.sorted)}`

async function insert(tx: Tx, rows: NewLabel[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 1000) await insertSome(tx, rows.slice(at, at + 1000))
}

async function insertSome(tx: Tx, rows: NewLabel[]): Promise<void> {
  if (engine === 'postgres') {
    const values = rows.map((row) => ({ ...row, grams: sql`${tsVector(indexTokens(row))}::tsvector` }))
    send(tx, tx.insertInto('labels').values(values))
    return
  }
  const stored = await tx.insertInto('labels').values(rows).returningAll().execute()
  const values = stored.map((row) => sql`(${row.id}, ${indexTokens(row).join(' ')})`)
  await sql`INSERT INTO "labelGrams" ("rowid", "grams") VALUES ${sql.join(values)}`.execute(tx)
}

function drop(tx: Tx, ids: number[]): void {
  if (ids.length === 0) return
  send(tx, tx.deleteFrom('labels').where('id', 'in', ids))
  if (engine !== 'sqlite') return
  const grams = sql`DELETE FROM "labelGrams" WHERE "rowid" IN (${sql.join(ids)})`
  send(tx, { execute: () => grams.execute(tx) })
}

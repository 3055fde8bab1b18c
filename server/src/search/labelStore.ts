// The queries that read labels for a search, in a useful order. Each is bounded, whatever the size of the catalogue.
import type { Kind } from '@mokuroku/contract/kinds'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { db, engine } from '#database/db.ts'
import type { Filter } from '#database/intersection.ts'
import { type Executor, statement } from '#database/statement.ts'
import { TABLES } from '#database/tables.ts'
import { lengthOf } from './chars.ts'
import { kindPrefix } from './entries.ts'
import { anyMatch, ftsQuery, type GramQuery, type Held, tsQuery } from './gramQuery.ts'
import { SAMPLE, WORDS } from './largeIndex.ts'
import { type Candidate, parseQuery } from './rank.ts'

export type Found = Candidate & { id: number }

/**
 * Maximum number of labels read to check for typos, labels read per neighbour, and how many times as many are sorted.
 */
export const MAX_NEAR = 500
const [MAX_NEIGHBOURS, SORTED] = [20, 4]
/** Maximum number of labels that `equalToAny` reads for each text. */
const MAX_NAMED = 200

/**
 * Labels that begin with `text`, in the order of their folded text, so exact matches come first. An index range scan.
 */
export const beginningWith = (kind: Kind, text: string, limit: number): Promise<Found[]> =>
  labelsBetween(db, kind, text, `${text}\u{10ffff}`, limit)

const labelsBetween = statement((from, kind: Kind, first: string, end: string, limit: number) =>
  from
    .selectFrom('labels')
    .select(['id', 'entityId', 'language', 'text', 'compact'])
    .where('kind', '=', kind)
    .where('compact', '>=', first)
    .where('compact', '<', end)
    .orderBy('compact')
    .orderBy('entityId')
    .limit(limit),
)

/**
 * The shortest of the first `scanned` labels that begin with `text`, starting at `text` + `after`. Only `limit` rows are
 * read in full, which is usually enough to fill a page.
 */
export const shortestBeginning = (
  kind: Kind,
  text: string,
  after: string,
  scanned: number,
  limit: number,
): Promise<Found[]> => shortestBetween(db, kind, text + after, `${text}\u{10ffff}`, scanned, limit)

/**
 * Readings in Latin letters come first in the index, and could use up the limit before texts in other scripts are
 * reached.
 */
export const AFTER_ASCII = '\u{80}'
export const ENDS_IN_ASCII = /[\0-\x7f]$/

const shortestBetween = statement((from, kind: Kind, first: string, end: string, scanned: number, limit: number) => {
  const labels = from
    .selectFrom('labels')
    .select(['id', 'entityId', 'compact'])
    .where('kind', '=', kind)
    .where('compact', '>=', first)
    .where('compact', '<', end)
    .orderBy('compact')
    .orderBy('entityId')
    .limit(scanned)
  const ids = from
    .selectFrom(labels.as('beginning'))
    .select('id')
    .orderBy((each) => each.fn('length', ['compact']))
    .orderBy('entityId')
    .orderBy('id')
    .limit(limit)
  return from.selectFrom('labels').select(['id', 'entityId', 'language', 'text', 'compact']).where('id', 'in', ids)
})

/** Labels that equal `text`. */
export const exactly = (kind: Kind, text: string, limit: number): Promise<Found[]> => labelsEqual(db, kind, text, limit)

const labelsEqual = statement((from, kind: Kind, text: string, limit: number) =>
  from
    .selectFrom('labels')
    .select(['id', 'entityId', 'language', 'text', 'compact'])
    .where('kind', '=', kind)
    .where('compact', '=', text)
    .orderBy('entityId')
    .limit(limit),
)

/** Labels that begin with one of many texts, a few for each. */
export async function beginningWithAny(kind: Kind, texts: string[]): Promise<Found[]> {
  const end = sql.raw(engine === 'postgres' ? 'chr(1114111)' : 'char(1114111)')
  const labels = labelsOfEach(
    texts,
    (text) => sql`
    SELECT "id" FROM "labels" WHERE "kind" = ${kind} AND "compact" >= ${text} AND "compact" < ${text} || ${end}
    ORDER BY "compact", "entityId" LIMIT ${MAX_NEIGHBOURS}`,
  )
  const order = sql.raw(engine === 'postgres' ? 'ORDER BY "given"."at", "compact", "entityId", "labels"."id"' : '')
  return (await sql<Found>`${labels} ${order} LIMIT ${MAX_NEAR}`.execute(db)).rows
}

/**
 * Labels that equal one of many texts, a number for each, in the order of entities. Labels of an entity that differ in
 * the language alone count once, since a name may be the same in all languages.
 */
export async function equalToAny(from: Executor, kind: Kind, texts: string[]): Promise<Found[]> {
  const labels = labelsOfEach(
    texts,
    (text) => sql`
    SELECT min("id") AS "id" FROM "labels" WHERE "kind" = ${kind} AND "compact" = ${text}
    GROUP BY "entityId", "text" ORDER BY "entityId" LIMIT ${MAX_NAMED}`,
  )
  return (await sql<Found>`${labels} ORDER BY "entityId", "labels"."id"`.execute(from)).rows
}

/** The labels whose ids `select` finds for each of many texts. */
function labelsOfEach(
  texts: string[],
  select: (text: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [list, given] = [JSON.stringify(texts), sql.raw('"given"."value"')]
  const from =
    engine === 'postgres'
      ? sql`json_array_elements_text(${list}::json) WITH ORDINALITY AS "given"("value", "at")
        CROSS JOIN LATERAL (${select(sql`${given} COLLATE "C"`)}) AS "some"
        JOIN "labels" ON "labels"."id" = "some"."id"`
      : sql`json_each(${list}) AS "given" CROSS JOIN "labels" ON "labels"."id" IN (${select(given)})`
  return sql`SELECT "labels"."id", "entityId", "language", "text", "compact" FROM ${from}`
}

/** Labels that contain texts: the index finds candidates, and the database checks them. */
export const holding = (kind: Kind, held: Held, limit: number): Promise<Found[]> =>
  answering(kind, held.grams, limit, sql`AND ${textsHold(held)}`)

/** The shortest of some of the labels that contain texts, so that few rows are read and ranked. */
export const shortestHolding = (kind: Kind, held: Held, scanned: number, limit: number): Promise<Found[]> =>
  shortestOf(labelsAnswering(kind, held.grams, scanned, sql`AND ${textsHold(held)}`), limit)

export const isInSample = sql.raw(` AND ${SAMPLE.condition}`)

/** The shortest of some of the labels in the sample that contain texts. */
export const inSample = (kind: Kind, held: Held, limit: number): Promise<Found[]> =>
  shortestOf(labelsAnswering(kind, held.grams, limit, sql`AND ${textsHold(held)}${isInSample}`), limit)

/** The shortest of some of the labels that contain texts and have the words. */
export const havingWords = (kind: Kind, words: string, held: Held, limit: number): Promise<Found[]> =>
  shortestOf(
    someLabels(
      sql`${sql.raw(WORDS.expression)} @@ ${words}::tsquery AND ${sql.raw(WORDS.condition)} AND "kind" = ${kind} AND ${textsHold(held)}`,
      limit,
    ),
    limit,
  )

async function shortestOf(labels: RawBuilder<unknown>, limit: number): Promise<Found[]> {
  const { rows } = await sql<Found>`
    SELECT * FROM (${labels}) AS "some" ORDER BY length("compact"), "entityId", "id" LIMIT ${limit}`.execute(db)
  return rows
}

/** Whether a label contains texts, whatever the index says. */
function textsHold({ anyOf }: Held): RawBuilder<unknown> {
  const holds = (text: string) => sql`${sql.raw(engine === 'postgres' ? 'strpos' : 'instr')}("compact", ${text}) > 0`
  const all = anyOf.map((texts) => sql`(${sql.join(texts.map(holds), sql` AND `)})`)
  return sql`(${sql.join(all, sql` OR `)})`
}

/**
 * The condition that an entity matches a query without typos, for lists of more matches than a search reads. A single
 * character only matches prefixes. With `language`, only its labels count. With a sample if the index is large.
 */
export function matchFilter(
  kind: Kind,
  q: string,
  { language, isLarge = false }: { language?: string | undefined; isLarge?: boolean } = {},
): Filter & Required<Pick<Filter, 'ids'>> {
  const asked = parseQuery(q)
  const held = anyMatch(asked)
  const counts = language === undefined ? sql`` : sql` AND "language" = ${language}`
  const labels = held && sql`${labelsWith(kind, held.grams)} AND ${textsHold(held)}${counts}`
  const prefixes = asked.texts
    .filter((text) => lengthOf(text) === 1)
    .map((text) => sql<SqlBool>`"compact" >= ${text} AND "compact" < ${`${text}\u{10ffff}`}`)
  const conditions = [...(held ? [textsHold(held)] : []), ...prefixes]
  const meets = sql<SqlBool>`(${sql.join(conditions, sql` OR `)})${counts}`
  const parts = [
    ...(labels ? [sql`SELECT "entityId" AS "id" ${labels}`] : []),
    ...prefixes.map(
      (prefix) => sql`SELECT "entityId" AS "id" FROM "labels" WHERE "kind" = ${kind} AND ${prefix}${counts}`,
    ),
  ]
  const count = sql`SELECT count(*) FROM "labels" AS "own" WHERE "own"."entityId" = "labels"."entityId" AND ${meets}`
  return {
    where: sql`EXISTS (SELECT 1 FROM "labels" WHERE "entityId" = ${sql.ref(`${TABLES[kind]}._id`)} AND ${meets})`,
    ids: sql.join(parts, sql` UNION ALL `),
    sample:
      isLarge && labels
        ? sql`SELECT "entityId" AS "id", 1.0 / (${count}) AS "weight" ${labels}${isInSample}`
        : undefined,
  }
}

/** The labels whose n-grams match: what follows the columns in a query. */
const labelsWith = (kind: Kind, grams: GramQuery): RawBuilder<unknown> =>
  engine === 'postgres'
    ? sql`FROM "labels" WHERE "grams" @@ ${tsQuery(grams, kindPrefix(kind))}::tsquery`
    : sql`FROM "labelGrams" JOIN "labels" ON "labels"."id" = "labelGrams"."rowid"
      WHERE "labelGrams" MATCH ${ftsQuery(grams, kindPrefix(kind))}`

/**
 * Up to `limit` labels whose n-grams match. They are sorted, so that they do not depend on PostgreSQL's plan, unless
 * very many match: sorting a hundred thousand would keep a user waiting while typing.
 */
export async function answering(kind: Kind, grams: GramQuery, limit: number, and = sql``): Promise<Found[]> {
  const labels = labelsAnswering(kind, grams, limit, and)
  const sorted = sql`SELECT * FROM (${labels}) AS "some" ORDER BY "compact", "entityId", "id" LIMIT ${limit}`
  return (await sql<Found>`${engine === 'postgres' ? sorted : labels}`.execute(db)).rows
}

/** Labels whose n-grams match; on PostgreSQL unordered, and `SORTED` times as many, to be sorted. */
const labelsAnswering = (kind: Kind, grams: GramQuery, limit: number, and: RawBuilder<unknown>): RawBuilder<unknown> =>
  engine === 'postgres'
    ? someLabels(sql`"grams" @@ ${tsQuery(grams, kindPrefix(kind))}::tsquery ${and}`, limit)
    : sql`
      SELECT "labels"."id", "entityId", "language", "text", "compact" ${labelsWith(kind, grams)} ${and}
      ORDER BY "labelGrams"."rowid" LIMIT ${limit}`

/**
 * `SORTED` times `limit` labels. The LIMIT is a literal, since PostgreSQL needs it for planning: with an unknown one, it
 * would expect a scan of all labels to be faster.
 */
const someLabels = (where: RawBuilder<unknown>, limit: number): RawBuilder<unknown> => sql`
  SELECT "id", "entityId", "language", "text", "compact" FROM "labels" WHERE ${where}
  LIMIT ${sql.lit(limit * SORTED)}`

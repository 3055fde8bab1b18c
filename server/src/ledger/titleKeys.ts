import { createHash } from 'node:crypto'
import { type DuplicateKeys, duplicateKeys, MAX_DAYS_APART } from '@mokuroku/contract/findings/duplicate'
import type { Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inList } from '#database/inList.ts'
import { engine, type Reader, send, type Transaction } from '#database/db.ts'
import { sendRows } from '#database/insert.ts'
import { type Executor, compilable, statement } from '#database/statement.ts'
import type { Tables } from '#database/tables.ts'
import { hashOf } from './findingRows.ts'

export type TitleKey = Tables['titleKeys']

/** The duplicate keys of an entity; none without a document. */
export const likelyOf = (kind: Translated, document: Document | undefined): DuplicateKeys =>
  document ? duplicateKeys(kind, document) : { keys: [], day: 0 }

/** The keys as they are stored, each with the day. */
const keptOf = ({ keys, day }: DuplicateKeys): Pick<TitleKey, 'key' | 'day'>[] =>
  keys.map((key) => ({ key: shortHash(key), day }))

/** The stored form of the duplicate keys of a document. */
export const likelyKeys = (kind: Translated, document: Document): Pick<TitleKey, 'key' | 'day'>[] =>
  keptOf(duplicateKeys(kind, document))

/**
 * One entity for each of these keys and each day that is stored with the key; none that the import `exceptOf` writes
 * itself.
 */
export async function entitiesLike(
  tx: Reader,
  keys: string[],
  exceptOf?: string,
): Promise<Pick<TitleKey, 'key' | 'day' | 'entityId'>[]> {
  if (keys.length === 0) return []
  return tx
    .selectFrom('titleKeys')
    .select(({ fn }) => ['key', 'day', fn.min('entityId').as('entityId')])
    .where(inList('key', keys))
    .$if(exceptOf !== undefined, (query) =>
      query.where(sql<boolean>`NOT EXISTS (SELECT 1 FROM "importPlans"
        WHERE "import" = ${exceptOf} AND "importPlans"."entityId" = "titleKeys"."entityId")`),
    )
    .groupBy(['key', 'day'])
    .execute()
}

/** 128 bits of SHA-256. */
const shortHash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

/** The text that a dismissal is bound to: with other titles, the finding is no longer dismissed. */
export const textOfKeys = (rows: TitleKey[]): string =>
  rows
    .map(({ key, day }) => `${key} ${day}`)
    .toSorted()
    .join('\n')

/** The rows that entities should have. Entities whose duplicates were dismissed, with their current keys, have none. */
export function expectedKeys(
  entities: { id: string; kind: Translated; likely: DuplicateKeys }[],
  dismissals: Pick<Tables['dismissals'], 'entityId' | 'code' | 'textHash'>[],
): TitleKey[] {
  const hashes = new Map(
    dismissals.filter(({ code }) => code === 'duplicate').map(({ entityId, textHash }) => [entityId, textHash]),
  )
  return entities.flatMap(({ id: entityId, kind: entityType, likely }) => {
    const rows = keptOf(likely).map((each) => ({ ...each, entityId, entityType }))
    return rows.length > 0 && hashes.get(entityId) === hashOf(textOfKeys(rows)) ? [] : rows
  })
}

/** The stored rows that are not expected, and the expected rows that are not stored. */
export function keyChanges(stored: TitleKey[], expected: TitleKey[]): { removed: TitleKey[]; added: TitleKey[] } {
  const [old, next] = [new Set(stored.map(rowName)), new Set(expected.map(rowName))]
  return {
    removed: stored.filter((row) => !next.has(rowName(row))),
    added: expected.filter((row) => !old.has(rowName(row))),
  }
}

export const storedKeys = (tx: Executor, ids: string[]): Promise<TitleKey[]> => keysOf(tx, ids)

const keysOf = statement((from, ids: string[]) =>
  from.selectFrom('titleKeys').selectAll().where(inList('entityId', ids)),
)

/** Deletes and inserts rows. */
export function writeKeys(tx: Transaction, { removed, added }: ReturnType<typeof keyChanges>): void {
  for (const { entityId, key } of removed)
    send(tx, tx.deleteFrom('titleKeys').where('entityId', '=', entityId).where('key', '=', key))
  sendRows(tx, 'titleKeys', added)
}

export const rowName = ({ key, day, entityId }: TitleKey): string => `${key} ${day} ${entityId}`

/**
 * An entity is paired with at most this many neighbours before it and after it. Smaller groups are paired completely.
 */
const MAX_NEAR = 10

/** An entity, and its neighbours by one of its keys that are near enough to be likely duplicates. */
export interface Neighbours {
  id: string
  kind: Translated
  near: string[]
}

/**
 * The nearest neighbours of entities, before and after them by each of their keys; read from the index, however many
 * share a title. An entity whose only likely duplicate is one of these is always included: whatever lies between two
 * near entities is near to both.
 */
export async function neighboursOf(tx: Kysely<Tables>, ids: string[]): Promise<Neighbours[]> {
  return ids.length === 0 ? [] : listedOf(await nearEntities(tx, ids))
}

/** Like `neighboursOf`, for entities that have, had or will have these rows. */
export async function neighboursAt(tx: Kysely<Tables>, rows: TitleKey[]): Promise<Neighbours[]> {
  return rows.length === 0 ? [] : listedOf(await nearRows(tx, JSON.stringify(rows)))
}

const nearEntities = statement((from, ids: string[]) =>
  near(from, sql`(SELECT * FROM "titleKeys" WHERE ${inList('entityId', ids)})`),
)

const nearRows = statement((from, rows: string) => {
  const given = sql.raw(
    engine === 'postgres' ? '"key" text, "day" integer, "entityId" text, "entityType" text' : COLUMNS_OF_JSON,
  )
  return near(
    from,
    engine === 'postgres'
      ? sql`(SELECT * FROM json_to_recordset(${rows}::json) AS "given"(${given}))`
      : sql`(SELECT ${given} FROM json_each(${rows}))`,
  )
})

const COLUMNS_OF_JSON = ['key', 'day', 'entityId', 'entityType']
  .map((name) => `json_extract("value", '$.${name}') AS "${name}"`)
  .join(', ')

/** The neighbours of some rows. */
const near = (from: Executor, own: RawBuilder<unknown>) => {
  const list = sql.raw(engine === 'postgres' ? 'json_agg' : 'json_group_array')
  return compilable<{ id: string; kind: Translated; before: Listed; after: Listed }>(
    from,
    sql`
    SELECT "own"."entityId" AS "id", "own"."entityType" AS "kind",
      (SELECT ${list}("some"."entityId") FROM (SELECT "near"."entityId" FROM "titleKeys" "near"
       WHERE "near"."key" = "own"."key" AND "near"."day" >= "own"."day" - ${sql.lit(MAX_DAYS_APART)}
         AND ("near"."day", "near"."entityId") < ("own"."day", "own"."entityId")
       ORDER BY "near"."day" DESC, "near"."entityId" DESC LIMIT ${sql.lit(MAX_NEAR)}) "some") AS "before",
      (SELECT ${list}("some"."entityId") FROM (SELECT "near"."entityId" FROM "titleKeys" "near"
       WHERE "near"."key" = "own"."key" AND "near"."day" <= "own"."day" + ${sql.lit(MAX_DAYS_APART)}
         AND ("near"."day", "near"."entityId") > ("own"."day", "own"."entityId")
       ORDER BY "near"."day", "near"."entityId" LIMIT ${sql.lit(MAX_NEAR)}) "some") AS "after"
    FROM ${own} AS "own"`,
  )
}

const listedOf = (rows: { id: string; kind: Translated; before: Listed; after: Listed }[]): Neighbours[] =>
  rows
    .map(({ id, kind, before, after }) => ({ id, kind, near: [...listed(before), ...listed(after)] }))
    .filter((each) => each.near.length > 0)

/** A list as the engines return it: a list, JSON text, or null for an empty one. */
type Listed = string[] | string | null
const listed = (list: Listed): string[] => (typeof list === 'string' ? (JSON.parse(list) as string[]) : (list ?? []))

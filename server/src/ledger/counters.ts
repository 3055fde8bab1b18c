import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'
import { inList } from '#database/inList.ts'
import { db, engine, lateWrite, send, type Transaction, transaction } from '#database/db.ts'
import { compilable, statement } from '#database/statement.ts'
import { lockRows } from '#database/locks.ts'
import type { Tables } from '#database/tables.ts'
import { recheckPresent } from './checkedLinks.ts'

/** The name of the counter for the number of entities of a kind. */
export const totalCounter = (kind: Kind): string => `${kind.toLowerCase()}Count`

/** Counts one entity more or less: `mediaCount`, and by type such as `tagCount.GENRE` or `assetCount.IMAGE`. */
export function countOne(tx: Transaction, kind: Kind, fields: Document, by: 1 | -1): void {
  const name = totalCounter(kind)
  const { countedBy } = kindOf(kind)
  incrementCounter(tx, name, by)
  if (countedBy) incrementCounter(tx, `${name}.${String(fields[countedBy])}`, by)
}

/** The uses of a tag: all of them, and those by kinds with a counter of their own. */
export const NO_USES = { usageCount: 0, mediaCount: 0, characterCount: 0 }
export type TagUses = typeof NO_USES

const usesIn = lateWrite<Map<string, TagUses>>('tagUses', () => new Map(), writeUses)

/** Counts, at the end of the transaction, the uses of tags that an entity of `kind` has added or removed. */
export function countLinks(tx: Transaction, kind: Kind, added: string[], removed: string[]): void {
  // A child tag does not count as a use of its parent.
  if (kind === 'Tag') return
  const uses = usesIn(tx)
  for (const id of added) uses.set(id, addUses(uses.get(id), kind, 1))
  for (const id of removed) uses.set(id, addUses(uses.get(id), kind, -1))
}

/** `uses` plus `count` uses by entities of a kind. */
export function addUses(uses: TagUses = NO_USES, kind: Kind, count: number): TagUses {
  const { tagCounter } = kindOf(kind)
  const sum = { ...uses, usageCount: uses.usageCount + count }
  return tagCounter ? { ...sum, [tagCounter]: uses[tagCounter] + count } : sum
}

async function writeUses(tx: Transaction, uses: Map<string, TagUses>): Promise<void> {
  const changed = [...uses].filter(([, counts]) => Object.values(counts).some((count) => count !== 0))
  if (changed.length === 0) return
  const ids = changed.map(([id]) => id)
  await lockRows(
    tx,
    ids.map((id) => ({ kind: 'Tag', id })),
  )
  const tags = await tx.selectFrom('tags').select(['_id', 'type', 'deletedAt']).where(inList('_id', ids)).execute()
  for (const { _id, type, deletedAt } of tags) {
    recheckPresent(tx, { kind: 'Tag', id: _id }, deletedAt)
    // The counts of a tag in the trash are added when it is restored.
    if (!deletedAt) incrementCounter(tx, `tagUsage.${type}`, uses.get(_id)?.usageCount ?? 0)
  }
  for (const same of Map.groupBy(changed, ([, counts]) => JSON.stringify(counts)).values()) {
    const [, { usageCount, mediaCount, characterCount }] = same[0] ?? ['', NO_USES]
    await tx
      .updateTable('tags')
      .set({
        usageCount: sql`"usageCount" + ${usageCount}`,
        mediaCount: sql`"mediaCount" + ${mediaCount}`,
        characterCount: sql`"characterCount" + ${characterCount}`,
      })
      .where(
        '_id',
        'in',
        same.map(([id]) => id),
      )
      .execute()
  }
}

/** The counters with these names; those never counted are 0. */
export async function countersOf(from: Kysely<Tables>, names: string[]): Promise<Record<string, number>> {
  const rows = await countersNamed(from, names)
  return Object.fromEntries(names.map((name) => [name, rows.find((row) => row.name === name)?.value ?? 0]))
}

/** A query for the counters whose names meet a condition: the sums over both tables. */
export const countersWhere = (condition: RawBuilder<SqlBool>): RawBuilder<Tables['counters']> => sql`
  SELECT "name", sum("value") AS "value" FROM (
    SELECT "name", "value" FROM "counters" WHERE ${condition}
    UNION ALL SELECT "name", "value" FROM "counterShards" WHERE ${condition}) AS "parts"
  GROUP BY "name"`

const countersNamed = statement((from, names: string[]) =>
  compilable<Tables['counters']>(from, countersWhere(inList('name', names))),
)

/** The `limit` highest counters above 0 whose names start with `prefix`, sorted by name. */
export async function countersBeginning(prefix: string, limit: number): Promise<Tables['counters'][]> {
  const rows = await highestBetween(db, prefix, `${prefix}~`, limit)
  return rows.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/**
 * As many counters are read at most, and rows of their shards: with more of them above 0, some are left out. One
 * statement, so that an amount that `foldShards` moves meanwhile is read from exactly one of the two tables.
 */
const [MAX_READ, MAX_READ_SHARDS] = [20_000, 64_000]

const highestBetween = statement((from, first: string, end: string, limit: number) => {
  const part = (table: 'counters' | 'counterShards', rows: number) => sql`SELECT * FROM (
    SELECT "name", "value" FROM ${sql.table(table)} WHERE "name" >= ${first} AND "name" < ${end} AND "value" <> 0
    ORDER BY "name" LIMIT ${sql.lit(rows)}) AS ${sql.ref(table)}`
  return compilable<Tables['counters']>(
    from,
    sql`SELECT "name", sum("value") AS "value"
      FROM (${part('counters', MAX_READ)} UNION ALL ${part('counterShards', MAX_READ_SHARDS)}) AS "parts"
      GROUP BY "name" HAVING sum("value") > 0 ORDER BY sum("value") DESC, "name" LIMIT ${limit}`,
  )
})

/** On PostgreSQL, a counter is split into this many shards, so that concurrent writers rarely update the same row. */
const SHARDS = 64

const addedIn = lateWrite<Map<string, number>>('counters', () => new Map(), writeCounters)

async function writeCounters(tx: Transaction, added: Map<string, number>): Promise<void> {
  const rows = [...added].filter(([, value]) => value !== 0).toSorted(([one], [two]) => (one < two ? -1 : 1))
  added.clear()
  if (rows.length > 0) send(tx, addTo(tx, rows))
}

/**
 * Sends what has been counted so far along with the current statements. On PostgreSQL, writers have their own shards
 * and do not wait for each other; SQLite counts at the end of the transaction.
 */
export async function sendCounters(tx: Transaction): Promise<void> {
  if (engine === 'postgres') await writeCounters(tx, addedIn(tx))
}

function addTo(tx: Transaction, added: [name: string, value: number][]) {
  const isSharded = engine === 'postgres'
  // The process ids of connections are mostly consecutive, so concurrent transactions rarely share a shard.
  const part = isSharded ? { shard: sql<number>`pg_backend_pid() % ${sql.lit(SHARDS)}` } : {}
  const [table, key] = isSharded ? ['counterShards', ['name', 'shard']] : ['counters', ['name']]
  return tx
    .insertInto(table as 'counters')
    .values(added.map(([name, value]) => ({ name, ...part, value })))
    .onConflict((conflict) =>
      conflict.columns(key as 'name'[]).doUpdateSet({ value: sql`${sql.ref(`${table}.value`)} + "excluded"."value"` }),
    )
}

/**
 * Locks all counters until the end of the transaction. Waits for transactions that have changed one. The tables are
 * locked in the order in which `setCounter` writes them.
 */
export async function holdCounters(tx: Transaction): Promise<void> {
  if (engine === 'postgres') await sql`LOCK TABLE "counterShards", "counters" IN SHARE ROW EXCLUSIVE MODE`.execute(tx)
}

/**
 * Adds the shards to the counters: once a day, so that there are few rows to sum, and when a server stops, since a
 * server of an older version that is started next does not know about shards.
 */
export async function foldShards(): Promise<void> {
  if (engine !== 'postgres') return
  await transaction(async (tx) => {
    await holdCounters(tx)
    await sql`INSERT INTO "counters" ("name", "value")
    SELECT "name", sum("value") FROM "counterShards" WHERE true GROUP BY "name"
    ON CONFLICT ("name") DO UPDATE SET "value" = "counters"."value" + "excluded"."value"`.execute(tx)
    await tx.deleteFrom('counterShards').execute()
  })
}

/** Adds to a counter, which starts at 0, at the end of the transaction. */
export function incrementCounter(tx: Transaction, name: string, by: number): void {
  const added = addedIn(tx)
  added.set(name, (added.get(name) ?? 0) + by)
}

/** Sets a counter to a value. */
export async function setCounter(tx: Transaction, name: string, value: number): Promise<void> {
  await tx.deleteFrom('counterShards').where('name', '=', name).execute()
  await tx
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** Moves the uses of a tag to the counter of its new type; an undefined type means that the tag does not exist. */
export async function recountTag(
  tx: Transaction,
  id: string,
  before: string | undefined,
  after: string | undefined,
): Promise<void> {
  if (before === after) return
  const tag = await tx.selectFrom('tags').select('usageCount').where('_id', '=', id).executeTakeFirst()
  const uses = tag?.usageCount ?? 0
  if (before) incrementCounter(tx, `tagUsage.${before}`, -uses)
  if (after) incrementCounter(tx, `tagUsage.${after}`, uses)
  // `countOne` counts creation and deletion; here a tag only changes its type.
  if (before && after) {
    incrementCounter(tx, `tagCount.${before}`, -1)
    incrementCounter(tx, `tagCount.${after}`, 1)
  }
}

import { type Kind, KINDS } from '@mokuroku/contract/kinds'
import { type RawBuilder, sql } from 'kysely'
import { SYSTEM } from '#access/permissions.ts'
import { db } from '#database/db.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { type Check, orphanedRows, truncationIssue } from './check.ts'

/** A column with the id of an entity, of a fixed kind or of the one in the row's column `entityType`. */
interface Reference {
  table: keyof Tables
  column: string
  kind?: Kind
  /** The entity may have been deleted permanently. */
  outlives?: boolean
}

/** All of them but the links between entities (relations.ts), and those of rows that are soon deleted anyway. */
const REFERENCES: Reference[] = [
  ...(['sessions', 'resets', 'usernames', 'notifications', 'inboxes', 'preferences', 'importMappings'] as const).map(
    (table) => ({ table, column: 'userId', kind: 'User' as const }),
  ),
  { table: 'views', column: 'createdBy', kind: 'User' },
  { table: 'dismissals', column: 'entityId' },
  { table: 'comments', column: 'entityId', outlives: true },
  { table: 'merges', column: 'fromId', outlives: true },
  { table: 'merges', column: 'toId', outlives: true },
  ...(
    [
      ['comments', 'createdBy'],
      ['comments', 'resolvedBy'],
      ['dismissals', 'userId'],
      ['batches', 'userId'],
      ['imports', 'userId'],
      ['revisions', 'userId'],
    ] as const
  ).map(([table, column]) => ({ table, column, kind: 'User' as const, outlives: true })),
]

/**
 * The entities that rows belong to exist, or have existed. What should have been deleted with an entity is deleted by
 * the repair; there is none for other rows, since the right id cannot be told.
 */
export const references: Check = {
  name: 'references',
  run: async function* inspect() {
    for (const { table, column, kind, outlives } of REFERENCES) {
      const type = kind ? sql.lit(kind) : sql`"its"."entityType"`
      const lost = sql`SELECT DISTINCT "its".${sql.ref(column)} AS "id", ${type} AS "from"
        FROM ${sql.table(table)} AS "its" WHERE "its".${sql.ref(column)} <> ${sql.lit(SYSTEM._id)}
        AND NOT (${exists(column, type, kind)})`
      const rows = await orphanedRows(sql`${lost} AND NOT ${wasPurged(column, type)}`)
      for (const { id, from } of rows) yield { what: `${table}: ${column} names ${from} ${id}, which does not exist` }
      yield* truncationIssue(rows)
      if (outlives) continue
      const left = await orphanedRows(sql`${lost} AND ${wasPurged(column, type)}`)
      for (const { id, from } of left)
        yield {
          what: `${table}: ${column} names ${from} ${id}, which was permanently deleted`,
          repair: () => sql`DELETE FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${id}`.execute(db),
        }
      yield* truncationIssue(left)
    }
  },
}

const exists = (column: string, type: RawBuilder<unknown>, kind?: Kind): RawBuilder<unknown> =>
  sql.join(
    (kind ? [kind] : KINDS).map(
      (each) => sql`${type} = ${sql.lit(each)} AND EXISTS (
        SELECT 1 FROM ${sql.table(TABLES[each])} WHERE "_id" = "its".${sql.ref(column)})`,
    ),
    sql` OR `,
  )

const wasPurged = (column: string, type: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`EXISTS (SELECT 1 FROM "revisions" AS "last" WHERE "last"."entityId" = "its".${sql.ref(column)}
    AND "last"."entityType" = ${type} AND "last"."action" = 'purge')`

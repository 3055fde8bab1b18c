import { sql } from 'kysely'
import { type Transaction, transaction } from '#database/db.ts'
import { footprintOf } from '#ledger/footprint.ts'
import { reflect } from '#ledger/mirror.ts'
import { allDefinitions, definitionOf } from '#ledger/registry.ts'
import { SYSTEM } from '#access/permissions.ts'
import { type Kind, KINDS } from '@mokuroku/contract/kinds'
import { TABLES } from '#database/tables.ts'
import {
  type Check,
  everyEntity,
  expectedFootprint,
  idsOf,
  type Issue,
  orphanedRows,
  truncationIssue,
} from './check.ts'

const CONTEXT = { actor: SYSTEM, origin: 'system' as const, reason: 'Repaired: the other side has this relation' }

/** The links match the documents that they are derived from. */
export const links: Check = {
  name: 'links',
  run: async function* inspect() {
    yield* everyEntity(async (tx, kind, rows) => {
      const ofKind = tx.selectFrom('links').selectAll().where('fromKind', '=', kind)
      const stored = await ofKind.where('fromId', 'in', idsOf(rows)).execute()
      const storedFrom = Map.groupBy(stored, ({ fromId }) => fromId)
      return rows.flatMap((row): Issue[] => {
        const is = (storedFrom.get(row._id) ?? []).map(nameOf).toSorted()
        const should = footprintOf(definitionOf(kind), row).links.map(nameOf).toSorted()
        const missing = should.filter((each) => !is.includes(each))
        const over = is.filter((each) => !should.includes(each))
        if (missing.length + over.length === 0) return []
        const differences = [
          ...missing.map((each) => `missing link to ${each}`),
          ...over.map((each) => `extra link to ${each}`),
        ]
        return [{ what: `${kind} ${row._id}: ${differences.join(', ')}`, repair: () => relink(kind, row._id) }]
      })
    })
    for (const kind of KINDS) {
      const rows = await orphanedRows(sql`SELECT DISTINCT "fromId" AS "id" FROM "links" WHERE "fromKind" = ${kind}
        AND NOT EXISTS (SELECT 1 FROM ${sql.table(TABLES[kind])} WHERE "_id" = "links"."fromId")`)
      for (const { id } of rows)
        yield { what: `${kind} ${id}: has links but does not exist`, repair: () => relink(kind, id) }
      yield* truncationIssue(rows)
    }
  },
}

/** The targets of links exist, and relations between characters and media are on both sides. */
export const relations: Check = {
  name: 'relations',
  run: async function* inspect() {
    for (const kind of KINDS) {
      const rows = await orphanedRows(sql`SELECT "toId" AS "id", "fromKind" || ' ' || "fromId" AS "from" FROM "links"
        WHERE "toKind" = ${kind} AND NOT EXISTS (SELECT 1 FROM ${sql.table(TABLES[kind])} WHERE "_id" = "links"."toId")`)
      for (const { id, from } of rows) yield { what: `${from}: links to ${kind} ${id}, which does not exist` }
      yield* truncationIssue(rows)
    }
    for (const { kind, mirrors = {} } of allDefinitions())
      for (const [field, mirror] of Object.entries(mirrors))
        if (mirror) yield* oneSidedRelations(kind, field, mirror.kind, mirror.field)
  },
}

/** Repaired by the ledger: the missing side is added, with a revision. */
async function* oneSidedRelations(from: Kind, field: string, to: Kind, mirrored: string): AsyncGenerator<Issue> {
  const found = await orphanedRows(sql`SELECT "toId" AS "id", "fromId" AS "from" FROM "links" WHERE "fromKind" = ${from}
    AND "field" = ${field} AND EXISTS (
      SELECT 1 FROM ${sql.table(TABLES[to])} WHERE "_id" = "links"."toId" AND "deletedAt" IS NULL)
    AND NOT EXISTS (SELECT 1 FROM "links" AS "back" WHERE "back"."fromId" = "links"."toId"
      AND "back"."field" = ${mirrored} AND "back"."toId" = "links"."fromId")`)
  for (const { id, from: other } of found)
    yield {
      what: `${to} ${id}: lacks the link back to ${from} ${other}`,
      repair: () => transaction((tx) => reflect(tx, { kind: to, id, field: mirrored }, { add: other }, CONTEXT)),
    }
  yield* truncationIssue(found)
}

const relink = (kind: Kind, id: string): Promise<void> =>
  transaction(async (tx: Transaction) => {
    const footprint = await expectedFootprint(tx, kind, id)
    await tx.deleteFrom('links').where('fromId', '=', id).execute()
    const rows = (footprint?.links ?? []).map((link) => ({ ...link, fromKind: kind, fromId: id }))
    if (rows.length > 0) await tx.insertInto('links').values(rows).execute()
  })

const nameOf = ({ field, toKind, toId }: { field: string; toKind: string; toId: string }) =>
  `${field} ${toKind} ${toId}`

import { isDeepStrictEqual } from 'node:util'
import { type Document, isObject } from '@mokuroku/contract/merge'
import { sql } from 'kysely'
import type { EntityDefinition } from '#ledger/definition.ts'
import { footprintOf } from '#ledger/footprint.ts'
import { definitionOf } from '#ledger/registry.ts'
import { snapshotsOf } from '#ledger/snapshots.ts'
import { TABLES } from '#database/tables.ts'
import { registeredKinds } from '../../kinds.ts'
import {
  type Check,
  difference,
  everyEntity,
  idsOf,
  type Inspect,
  type Issue,
  orphanedRows,
  truncationIssue,
} from './check.ts'

/**
 * Every version of an entity, from the first that is kept, has a revision, and the newest one equals the entity. An
 * entity without a row was permanently deleted.
 */
export const revisions: Check = {
  name: 'revisions',
  run: async function* inspect() {
    yield* everyEntity(wrongRevisions)
    for (const kind of registeredKinds) {
      const lost =
        await orphanedRows(sql`SELECT DISTINCT "entityId" AS "id" FROM "revisions" WHERE "entityType" = ${kind}
        AND NOT EXISTS (SELECT 1 FROM ${sql.table(TABLES[kind])} WHERE "_id" = "revisions"."entityId")
        AND NOT EXISTS (SELECT 1 FROM "revisions" AS "last" WHERE "last"."entityId" = "revisions"."entityId"
          AND "last"."action" = 'purge')`)
      for (const { id } of lost) yield { what: `${kind} ${id}: has revisions but does not exist, and was not deleted` }
      yield* truncationIssue(lost)
    }
  },
}

const wrongRevisions: Inspect = async (tx, kind, rows) => {
  const counts = await tx
    .selectFrom('revisions')
    .select(({ fn }) => [
      'entityId',
      fn.countAll<number>().as('n'),
      fn.min<number>('version').as('first'),
      fn.max<number>('version').as('last'),
      fn.max('version').filterWhere('action', '=', 'delete').as('deleted'),
      fn.max('version').filterWhere('action', 'in', ['create', 'restore']).as('present'),
      fn.min('entityType').as('least'),
      fn.max('entityType').as('greatest'),
    ])
    .where('entityId', 'in', idsOf(rows))
    .groupBy('entityId')
    .execute()
  const newest = await tx
    .selectFrom('revisions as newest')
    .select(['_id', 'entityId', 'createdAt'])
    .where('entityId', 'in', idsOf(rows))
    .where('version', '=', (of) =>
      of
        .selectFrom('revisions as any')
        .select(({ fn }) => fn.max<number>('version').as('version'))
        .whereRef('any.entityId', '=', 'newest.entityId'),
    )
    .execute()
  const snapshots = await snapshotsOf(
    tx,
    newest.map(({ _id }) => _id),
  )
  const created = await tx
    .selectFrom('revisions')
    .select(['entityId', 'userId as createdBy', 'createdAt'])
    .where('entityId', 'in', idsOf(rows))
    .where('version', '=', 1)
    .execute()
  const countOf = new Map(counts.map((each) => [each.entityId, each]))
  const newestOf = new Map(newest.map((each) => [each.entityId, each]))
  const createdOf = new Map(created.map(({ entityId, ...each }) => [entityId, each]))
  return rows.flatMap((row): Issue[] => {
    const name = `${kind} ${row._id}`
    const { n = 0, first = 1, last = 0, deleted = null, present = null, least, greatest } = countOf.get(row._id) ?? {}
    const latest = newestOf.get(row._id)
    if (last !== row.version || n !== last - first + 1 || !latest)
      return [{ what: `${name}: has version ${row.version}, and ${n} revisions from version ${first} to ${last}` }]
    if (least !== kind || greatest !== kind) return [{ what: `${name}: has revisions of another kind` }]
    const definition = definitionOf(kind)
    const now = footprintOf(definition, row).snapshot
    const [other] = changedFields(definition, now, snapshots.get(latest._id) ?? {})
    if (other) return [{ what: `${name}: its ${other} differs from the latest revision` }]
    const { updatedAt } = row
    const isDeleted = row.deletedAt !== null
    // Its deletion may no longer be kept: entries in the trash are updated, too, if their relations change.
    const shouldBe = deleted === null && present === null ? isDeleted : Number(deleted) > Number(present)
    const wrong =
      difference({ updatedAt, isDeleted }, { updatedAt: latest.createdAt, isDeleted: shouldBe }) ??
      difference(row, createdOf.get(row._id) ?? {})
    return wrong ? [{ what: `${name}: ${wrong}, as its revisions say` }] : []
  })
}

/** The fields that differ. A field, also of a document within, that did not exist yet counts as empty. */
export function changedFields({ fields, empty }: EntityDefinition<Document>, now: Document, kept: Document): string[] {
  const valueIn = (document: Document, name: string): unknown => {
    const [value, none] = [document[name], empty[name]]
    return isObject(value) && isObject(none) ? { ...none, ...value } : (value ?? none ?? null)
  }
  return fields.filter((name) => !isDeepStrictEqual(valueIn(now, name), valueIn(kept, name)))
}

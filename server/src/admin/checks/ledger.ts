import { isDeepStrictEqual } from 'node:util'
import { type Document, isObject } from '@mokuroku/contract/merge'
import { sql } from 'kysely'
import type { EntityDefinition } from '#ledger/definition.ts'
import { footprintOf } from '#ledger/footprint.ts'
import { definitionOf } from '#ledger/registry.ts'
import { snapshotsOf } from '#ledger/snapshots.ts'
import { TABLES } from '#database/tables.ts'
import { registeredKinds } from '../../kinds.ts'
import { type Check, everyEntity, idsOf, type Inspect, type Issue, orphanedRows, truncationIssue } from './check.ts'

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
    ])
    .where('entityId', 'in', idsOf(rows))
    .groupBy('entityId')
    .execute()
  const newest = await tx
    .selectFrom('revisions as newest')
    .select(['_id', 'entityId'])
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
  const [countOf, snapshotOf] = [
    new Map(counts.map((each) => [each.entityId, each])),
    new Map(newest.map(({ _id, entityId }) => [entityId, snapshots.get(_id)])),
  ]
  return rows.flatMap((row): Issue[] => {
    const name = `${kind} ${row._id}`
    const { n = 0, first = 1, last = 0 } = countOf.get(row._id) ?? {}
    if (last !== row.version || n !== last - first + 1)
      return [{ what: `${name}: has version ${row.version}, and ${n} revisions from version ${first} to ${last}` }]
    const definition = definitionOf(kind)
    const now = footprintOf(definition, row).snapshot
    const [other] = changedFields(definition, now, snapshotOf.get(row._id) ?? {})
    return other ? [{ what: `${name}: its ${other} differs from the latest revision` }] : []
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

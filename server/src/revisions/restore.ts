import { type Document, merge, resolveConflicts, withPaths } from '@mokuroku/contract/merge'
import type { RevisionRestore } from '@mokuroku/contract/revisions'
import { fieldError } from '@mokuroku/contract/faults'
import { transaction } from '#database/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import type { Actor } from '#access/permissions.ts'
import { snapshotAt } from '#ledger/snapshots.ts'
import type { Tables } from '#database/tables.ts'
import type { WriteContext, Row } from '#ledger/definition.ts'
import { hiddenLinks, restorable } from '#ledger/links.ts'
import { inputOf } from '#ledger/fields.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf, findRow } from '#ledger/rows.ts'
import { withAllTexts } from '#ledger/texts.ts'
import { updateIn } from '#ledger/write.ts'
import { notifyAuthors } from './notifyAuthors.ts'

type Taken = Pick<Tables['revisions'], 'entityType' | 'entityId' | 'snapshot'>

/**
 * Restores the fields of a revision, all or those at `paths`, like any other change of the entity. With `base`, the
 * version that the user saw, later changes of others are kept, unless the user has decided about them (`settled`).
 * Returns the version that the entity has then, and whether the restore created it.
 */
export async function restoreRevision(
  { entityType, entityId, snapshot }: Taken,
  { paths, base, settled }: RevisionRestore,
  actor: Actor,
): Promise<{ version: number; isChanged: boolean }> {
  const definition = definitionOf(entityType)
  const { together = [] } = definition
  const restored = await transaction(async (tx) => {
    const row = await findRow(definition, entityId, tx)
    if (!row || row.deletedAt) return notFound(entityType)
    const now: Document = fieldsOf(definition, row)
    const seen = base === undefined || base === row.version ? now : await snapshotAt(tx, entityId, base)
    const taken = await restorable(tx, definition, entityId, fieldsOf(definition, snapshot as Row<Document>))
    const isTogether = paths?.some((path) => together.includes(path))
    const wanted = withPaths(seen ?? now, taken, paths && [...paths, ...(isTogether ? together : [])])
    if (!wanted) return invalid([fieldError('paths', 'notInRevision')])
    const isShown = settled?.version === row.version
    const overNow = isShown ? (seen ? settledOn(now, wanted, seen, settled.paths, together) : wanted) : undefined
    const after = withAllTexts(entityType, overNow ?? wanted)
    const context: WriteContext = { actor, origin: 'rollback', inherits: hiddenLinks(definition, taken) }
    await updateIn(definition, tx, entityId, inputOf(entityType, now, after), context, overNow ? row.version : base)
    const version = (await findRow(definition, entityId, tx))?.version ?? row.version
    const isChanged = version > row.version
    if (isChanged) await notifyAuthors(tx, { entityType, entityId, version }, context)
    return { version, isChanged }
  })
  await definition.restored?.(entityId)
  return restored
}

/**
 * Merges the wanted fields into the current ones; undefined if there is a conflict that the user has not decided.
 * Fields that belong together are taken together.
 */
function settledOn(
  now: Document,
  wanted: Document,
  seen: Document,
  decided: string[],
  together: readonly string[],
): Document | undefined {
  const { conflicts } = merge(seen, wanted, now)
  if (!conflicts.every((path) => decided.includes(path))) return undefined
  const also = conflicts.some((path) => together.includes(path)) ? together : []
  return resolveConflicts(seen, wanted, now, [...conflicts, ...also])
}

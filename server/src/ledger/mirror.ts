import type { Document } from '@mokuroku/contract/merge'
import { MAX_REFS } from '@mokuroku/contract/common'
import type { Kind } from '@mokuroku/contract/kinds'
import { requirePermission } from '#access/permissions.ts'
import { actorNow } from '#access/session.ts'
import type { Transaction } from '#database/db.ts'
import type { WriteContext, EntityDefinition, Mirror } from './definition.ts'
import { idsIn } from './fields.ts'
import { deriveFindings } from './findings.ts'
import { limitGrowth } from './limits.ts'
import { moveLinks } from './links.ts'
import { recordRevision } from './record.ts'
import { definitionOf } from './registry.ts'
import { advance, authorizeNow, fieldsOf, findRow } from './rows.ts'

/** How many links an entity may have before only those who may edit it can add more: some room is left for them. */
const MAX_LINKS_BY_OTHERS = MAX_REFS / 2

/** The other sides of relations that a change has to write. */
export function mirrored<Fields extends Document>(
  { mirrors = {} }: EntityDefinition<Fields>,
  before: Fields | undefined,
  after: Fields,
) {
  return Object.entries<Mirror | undefined>(mirrors).flatMap(([field, target]) => {
    const [old, next] = [before ? idsIn(before, field) : [], idsIn(after, field)]
    const dropped = old.filter((each) => !next.includes(each)).map((id) => ({ id, isDropped: true }))
    const added = next.filter((each) => !old.includes(each)).map((id) => ({ id, isDropped: false }))
    return target ? [...dropped, ...added].map((each) => ({ ...target, ...each })) : []
  })
}

/** Writes the other side of each relation that a change of `id` touches. */
export async function mirror<Fields extends Document>(
  definition: EntityDefinition<Fields>,
  tx: Transaction,
  id: string,
  before: Fields | undefined,
  after: Fields,
  context: WriteContext,
): Promise<void> {
  for (const { isDropped, ...side } of mirrored(definition, before, after))
    await reflect(tx, side, isDropped ? { drop: id } : { add: id }, context)
}

/**
 * Adds an id to a list of an entity, or removes it, because the other side of the relation changed. This creates a
 * revision, but no activity. `requiresEdit`: whether the caller needs permission to edit this side too. Throws 400 if
 * the list is full.
 */
export async function reflect(
  tx: Transaction,
  { kind, id, field, requiresEdit }: { kind: Kind; id: string; field: string; requiresEdit?: boolean },
  { add, drop }: { add?: string; drop?: string },
  context: WriteContext,
): Promise<void> {
  const definition = definitionOf(kind)
  const current = await findRow(definition, id, tx)
  if (!current) return
  if (requiresEdit) requirePermission(await actorNow(tx, context.actor), 'edit', kind, current.createdBy)
  const fields = fieldsOf(definition, current)
  const ids = idsIn(fields, field)
  const list = [...ids.filter((each) => each !== drop && each !== add), ...(add ? [add] : [])]
  if (list.length === ids.length && (drop || ids.includes(add ?? ''))) return
  if (add && ids.length >= MAX_LINKS_BY_OTHERS) await authorizeNow(definition, tx, context, 'edit', current.createdBy)
  const value = Array.isArray(fields[field]) ? list : (definition.empty[field] ?? null)
  const after = { ...fields, [field]: value }
  limitGrowth(definition, fields, after)
  const meta = advance(definition, tx, current, context, { [field]: value })
  await recordRevision(tx, kind, { action: 'update', meta, context, paths: [field] }, after)
  if (current.deletedAt) return
  moveLinks(tx, definition, id, fields, after)
  await deriveFindings(tx, kind, [{ id, before: fields, after }])
}

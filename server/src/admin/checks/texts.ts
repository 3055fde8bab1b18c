import { TRANSLATED_KINDS, type Kind } from '@mokuroku/contract/kinds'
import { changedPaths, type Document } from '@mokuroku/contract/merge'
import { SYSTEM } from '#access/permissions.ts'
import { transaction } from '#database/db.ts'
import type { Row } from '#ledger/definition.ts'
import { recordRevision } from '#ledger/record.ts'
import { definitionOf } from '#ledger/registry.ts'
import { advance, fieldsOf, findRow } from '#ledger/rows.ts'
import { withAllTexts } from '#ledger/texts.ts'
import { type Check, everyEntity, type Issue } from './check.ts'

const CONTEXT = { actor: SYSTEM, origin: 'system' as const, reason: 'Repaired: every language has all its texts' }

/** Every language of an entity has all text fields of its kind; otherwise the entity cannot be read. */
export const texts: Check = {
  name: 'texts',
  run: () =>
    everyEntity(
      async (_, kind, rows) =>
        rows.flatMap((row): Issue[] => {
          const { paths } = completed(kind, row as Row<Document>)
          const what = `${kind} ${row._id}: no ${paths.join(', ')}`
          return paths.length > 0 ? [{ what, repair: () => complete(kind, row._id) }] : []
        }),
      TRANSLATED_KINDS,
    ),
}

function completed(kind: Kind, row: Row<Document>) {
  const before = fieldsOf(definitionOf(kind), row)
  const after = withAllTexts(kind, before)
  return { after, paths: changedPaths(before, after) }
}

/** Adds the missing texts as empty ones, with a revision. */
const complete = (kind: Kind, id: string): Promise<void> =>
  transaction(async (tx) => {
    const definition = definitionOf(kind)
    const current = await findRow(definition, id, tx)
    if (!current) return
    const { after, paths } = completed(kind, current)
    // Somebody may have saved it since the check.
    if (paths.length === 0) return
    const meta = advance(definition, tx, current, CONTEXT, { translations: after.translations })
    await recordRevision(tx, kind, { action: 'update', meta, context: CONTEXT, paths }, after)
  })

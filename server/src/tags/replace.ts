import { fieldError } from '@mokuroku/contract/faults'
import { reasonText } from '@mokuroku/contract/reasons'
import { db, transaction } from '#database/db.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { eachTogether } from '#database/executor.ts'
import { lockRows } from '#database/locks.ts'
import type { Tables } from '#database/tables.ts'
import type { Actor } from '#access/permissions.ts'
import { idsIn } from '#ledger/fields.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import { updateIn } from '#ledger/write.ts'
import { notifications } from '#store/notifications'
import { tags } from '#store/tags'

/** Maximum number of entities changed at once, so that the transaction stays short. */
const MAX_REPLACED_USES = 2000

/** Replaces tag `id` by `next` wherever it is used, as one batch, all or nothing. Returns how many entities changed. */
export async function replaceTag(id: string, next: string, actor: Actor): Promise<number> {
  if (id === next) invalid([fieldError('with', 'otherTag')])
  for (const each of [id, next]) if (!(await tags.find(each))) notFound('Tag')
  const links = await db
    .selectFrom('links')
    .select(['fromKind', 'fromId'])
    .where('toId', '=', id)
    .where('field', '=', 'tags')
    .limit(MAX_REPLACED_USES + 1)
    .execute()
  if (links.length > MAX_REPLACED_USES)
    invalid([{ path: 'with', message: reasonText('usesMany', { limit: MAX_REPLACED_USES }) }])
  const batch = newId()
  const context = { actor, batch, quiet: true }
  return transaction(async (tx) => {
    await lockRows(
      tx,
      links.map(({ fromKind, fromId }) => ({ kind: fromKind, id: fromId })),
    )
    let count = 0
    await eachTogether(links.toSorted(byKindAndId), async ({ fromKind, fromId }) => {
      const definition = definitionOf(fromKind)
      const row = await findRow(definition, fromId, tx)
      // Others may have deleted it, or removed the tag, meanwhile.
      if (!row || row.deletedAt || !idsIn(row, 'tags').includes(id)) return
      const replaced = idsIn(row, 'tags').map((tag) => (tag === id ? next : tag))
      await updateIn(definition, tx, fromId, { tags: [...new Set(replaced)] }, context)
      count += 1
    })
    if (count === 0) return 0
    const data = { what: 'tagReplacement' as const, count, failed: 0, batch }
    notifications.notify(tx, [{ to: actor._id, kind: 'BATCH_FINISHED', data }])
    return count
  })
}

/** Sorted here, because SQLite would sort all uses before it says that there are too many. */
const byKindAndId = (one: Use, other: Use): number =>
  `${one.fromKind} ${one.fromId}` < `${other.fromKind} ${other.fromId}` ? -1 : 1

type Use = Pick<Tables['links'], 'fromKind' | 'fromId'>

import type { UnusedInput } from '@mokuroku/contract/assets'
import { db, Restart, transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import { newId } from '#lib/ids.ts'
import type { Actor } from '#access/permissions.ts'
import { assets } from '#store/assets'
import { lockUses } from '#ledger/assetFlags.ts'
import { recordNote } from '#ledger/record.ts'

/** Moves unused assets to the trash, as one batch that `restoreUnused` can restore. */
export async function trashUnused(input: UnusedInput, actor: Actor) {
  const batch = newId()
  const context = { actor, batch, reason: 'Unused', quiet: true }
  const candidates = await assets.unused(input)
  const rows = candidates.map((id) => ({ kind: 'Asset' as const, id }))
  const found = await transaction(async (tx) => {
    await lockRows(tx, rows)
    // Somebody else may have used or deleted some of them meanwhile.
    const unused = await assets.unusedAmong(tx, candidates)
    for (const { _id } of unused) await assets.removeIn(tx, _id, context)
    if (unused.length > 0)
      await recordNote(
        tx,
        'ASSETS_DELETED',
        `Unused assets deleted: ${unused.length}`,
        actor.username,
        `${unused.length}`,
      )
    // A save may have begun to use one of them since; one that does so from here on is refused.
    const ids = unused.map(({ _id }) => _id)
    await lockUses(tx, ids)
    if (await assets.areUsed(tx, ids)) {
      throw new Restart(async (next) => {
        // In the order in which saves take these locks.
        await lockRows(next, rows)
        await lockUses(next, ids)
      })
    }
    return unused
  })
  return { success: true, count: found.length, size: found.reduce((sum, { size }) => sum + size, 0), batch }
}

/** Restores a batch of `trashUnused` from the trash. */
export async function restoreUnused(batch: string, actor: Actor) {
  const candidates = await assets.trashedIn(db, batch)
  const ids = await transaction(async (tx) => {
    await lockRows(
      tx,
      candidates.map((id) => ({ kind: 'Asset', id })),
    )
    // Somebody else may have restored some of them meanwhile.
    const trashed = await assets.trashedIn(tx, batch)
    for (const id of trashed) await assets.restoreIn(tx, id, { actor, quiet: true })
    if (trashed.length > 0)
      await recordNote(tx, 'ASSETS_RESTORED', `Assets restored: ${trashed.length}`, actor.username, `${trashed.length}`)
    return trashed
  })
  return { success: true, count: ids.length }
}

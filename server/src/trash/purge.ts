import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { TRASH_KINDS } from '@mokuroku/contract/kinds'
import { notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { purge } from '#ledger/purge.ts'
import { lastGone } from '#ledger/trash.ts'
import { type Actor, SYSTEM } from '#access/permissions.ts'
import { assets } from '#store/assets'
import { audit } from '#store/audit'
import { trash } from '#store/trash'

/** Number of entities looked up at a time. */
const BATCH_SIZE = 100

interface Options {
  signal?: AbortSignal
  /** Called for each entity that could not be deleted; the others are processed nevertheless. */
  failed: (error: unknown) => void
}

/** Permanently deletes one entity in the trash. Throws 403 or 404. */
export async function purgeOne(kind: string, id: string, actor: Actor): Promise<void> {
  const known = TRASH_KINDS.find((each) => each === kind) ?? notFound()
  if (!(await purge(known, id, { actor }))) notFound(known)
  // If the storage is unreachable, the next purge deletes the files.
  await assets.removeFiles().catch(() => undefined)
}

/**
 * Permanently deletes what has been in the trash for 30 days at the start, even if the clock leaps meanwhile. Returns the
 * number of entities.
 */
export async function purgeExpired({ signal, failed }: Options): Promise<number> {
  const context: WriteContext = { actor: SYSTEM, origin: 'system', batch: newId(), quiet: true }
  const last = lastGone()
  let count = 0
  try {
    for (const kind of TRASH_KINDS) {
      const stuck = new Set<string>()
      for (;;) {
        const ids = (await trash.deletedUntil(kind, last, BATCH_SIZE + stuck.size)).filter((id) => !stuck.has(id))
        if (ids.length === 0) break
        for (const id of ids) {
          if (signal?.aborted) return count
          try {
            if (await purge(kind, id, context, signal)) count += 1
          } catch (error) {
            stuck.add(id)
            failed(error)
          }
          // Let waiting requests run in between.
          await yieldToEventLoop()
        }
      }
    }
    await assets.removeFiles().catch(failed)
    return count
  } finally {
    if (count > 0) await audit.recordNow({ action: 'trash.emptied', actor: SYSTEM, details: { count } }).catch(failed)
  }
}

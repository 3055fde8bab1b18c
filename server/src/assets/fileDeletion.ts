import { db, type Transaction } from '#database/db.ts'
import { keysOf } from './keys.ts'
import { storage } from './storage.ts'

/** Number of scheduled files read at a time. */
const BATCH_SIZE = 100

/** Schedules the files of a permanently deleted asset for deletion, including earlier files that were replaced. */
export async function scheduleAssetFiles(tx: Transaction, id: string): Promise<void> {
  const revisions = await tx.selectFrom('revisions').select('snapshot').where('entityId', '=', id).execute()
  const keys = new Set(revisions.map(({ snapshot }) => snapshot.storageKey).filter((key) => typeof key === 'string'))
  const notes = tx.insertInto('removals').values([...keys].map((key) => ({ key })))
  if (keys.size > 0) await notes.onConflict((conflict) => conflict.doNothing()).execute()
}

/** Deletes the files of a key that nothing refers to; schedules them for later if the storage is unreachable. */
export async function deleteOrSchedule(key: string, files = keysOf(key)): Promise<void> {
  try {
    await storage.remove(...files)
  } catch {
    await scheduleFiles(key)
  }
}

/** Schedules the files of a key that nothing refers to for deletion at the next purge. */
export async function scheduleFiles(key: string): Promise<void> {
  const note = db.insertInto('removals').values({ key })
  await note.onConflict((conflict) => conflict.doNothing()).execute()
}

/**
 * Deletes the scheduled files. The schedule entry is deleted only afterwards, so that after a crash or a storage
 * failure the next call tries again.
 */
export async function deleteScheduled(): Promise<void> {
  for (;;) {
    const notes = await db.selectFrom('removals').select('key').orderBy('key').limit(BATCH_SIZE).execute()
    if (notes.length === 0) return
    for (const { key } of notes) {
      await storage.remove(...keysOf(key))
      await db.deleteFrom('removals').where('key', '=', key).execute()
    }
  }
}

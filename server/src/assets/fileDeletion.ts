import { db, type Transaction } from '#database/db.ts'
import { keysOf } from './keys.ts'
import { storage } from './storage.ts'

/** So many files are looked up at a time. */
const BATCH_SIZE = 100

/** Notes the files of an asset that is deleted for good, those that others took the place of included. */
export async function scheduleAssetFiles(tx: Transaction, id: string): Promise<void> {
  const revisions = await tx.selectFrom('revisions').select('snapshot').where('entityId', '=', id).execute()
  const keys = new Set(revisions.map(({ snapshot }) => snapshot.storageKey).filter((key) => typeof key === 'string'))
  const notes = tx.insertInto('removals').values([...keys].map((key) => ({ key })))
  if (keys.size > 0) await notes.onConflict((conflict) => conflict.doNothing()).execute()
}

/** Takes away the files of a key that nothing came to name; noted for later where the storage is out of reach. */
export async function deleteOrSchedule(key: string, files = keysOf(key)): Promise<void> {
  try {
    await storage.remove(...files)
  } catch {
    await scheduleFiles(key)
  }
}

/** Notes the files of a key that nothing came to name, to be taken away with the next purge. */
export async function scheduleFiles(key: string): Promise<void> {
  const note = db.insertInto('removals').values({ key })
  await note.onConflict((conflict) => conflict.doNothing()).execute()
}

/**
 * Takes away the files that were noted. Only then their note goes, so that a crash, or a storage out of reach, leaves
 * them to the next call.
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

import { advisoryLock, db, type Transaction, transaction } from '#database/db.ts'
import { isDatabaseGone } from '#lib/faults.ts'
import { FOREVER, retryUntilDone } from '#lib/retry.ts'
import { assets } from '#store/assets'
import { deleteOrSchedule, scheduleFiles } from './fileDeletion.ts'
import { StorageError } from './fileStore.ts'
import { markKey, storage } from './storage.ts'

interface Place {
  /** The key in the row. */
  key: string
  /** The key to store the file under, if different. */
  as?: string
  /** It will be processed on this machine next. */
  soon?: boolean
}

/**
 * Stores a file, then writes the row that refers to it, in a transaction. If the row is not written, the file is
 * deleted again.
 */
export async function storeFile(
  file: string,
  { key, as = key, soon }: Place,
  write: (tx: Transaction) => Promise<unknown>,
) {
  const unmark = await markKey(key)
  try {
    await storage.keep(file, as, soon)
    await transaction(async (tx) => {
      await advisoryLock(tx, lockOf(key))
      await write(tx)
    })
  } catch (error) {
    const tidy = async (): Promise<void> => {
      // Check first: the connection may have been lost after the row was written.
      if (!(await isReferenced(key))) await (error instanceof StorageError ? scheduleFiles(key) : deleteOrSchedule(key))
      await unmark()
    }
    // The caller does not wait for a database that is away. If this process ends before it is back, the mark is left for
    // a sweep.
    const tidyLater = () => void retryUntilDone(tidy, { signal: FOREVER, failed: () => undefined })
    if (isDatabaseGone(error)) tidyLater()
    else await tidy().catch(tidyLater)
    throw error
  }
  await unmark()
}

/** Whether a row refers to a stored file. */
export async function isReferenced(key: string): Promise<boolean> {
  // Waits for a transaction that is still writing the row, over a connection that was lost.
  await transaction((tx) => advisoryLock(tx, lockOf(key)))
  return (await assets.isReferenced(key)) || (await isPartOfUpload(key))
}

const lockOf = (key: string): string => `file ${key}`

/** Whether a stored file is a part of an open upload session. */
export const isPartOfUpload = async (key: string): Promise<boolean> =>
  (await db.selectFrom('uploadParts').select('key').where('key', '=', key).executeTakeFirst()) !== undefined

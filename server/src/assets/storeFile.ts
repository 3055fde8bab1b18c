import { db } from '#database/db.ts'
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

/** Stores a file, then writes the row that refers to it. If the row is not written, the file is deleted again. */
export async function storeFile(file: string, { key, as = key, soon }: Place, write: () => Promise<void>) {
  const unmark = await markKey(key)
  try {
    await storage.keep(file, as, soon)
    await write()
  } catch (error) {
    // Check first: the connection may have been lost after the row was written. If the check fails too, the mark is
    // left for a sweep.
    if (!(await isNamed(key))) await (error instanceof StorageError ? scheduleFiles(key) : deleteOrSchedule(key))
    await unmark()
    throw error
  }
  await unmark()
}

/** Whether a row refers to a stored file. */
export const isNamed = async (key: string): Promise<boolean> =>
  (await assets.isReferenced(key)) || (await isPartOfUpload(key))

/** Whether a stored file is a part of an open upload session. */
export const isPartOfUpload = async (key: string): Promise<boolean> =>
  (await db.selectFrom('uploadParts').select('key').where('key', '=', key).executeTakeFirst()) !== undefined

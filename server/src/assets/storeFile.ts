import { db } from '#database/db.ts'
import { assets } from '#store/assets'
import { deleteOrSchedule, scheduleFiles } from './fileDeletion.ts'
import { StorageError } from './fileStore.ts'
import { markKey, storage } from './storage.ts'

interface Place {
  /** What the row names. */
  key: string
  /** What the file is kept under, where that is another. */
  as?: string
  /** It is about to be worked on here. */
  soon?: boolean
}

/** Keeps a file, then writes the row that names it. When the row is not written, the file is not kept either. */
export async function storeFile(file: string, { key, as = key, soon }: Place, write: () => Promise<void>) {
  const unmark = await markKey(key)
  try {
    await storage.keep(file, as, soon)
    await write()
  } catch (error) {
    // Asked, because a connection may be lost after the row was written. Without an answer the mark stays for a sweep.
    if (!(await isNamed(key))) await (error instanceof StorageError ? scheduleFiles(key) : deleteOrSchedule(key))
    await unmark()
    throw error
  }
  await unmark()
}

/** Whether a row names a stored file. */
export const isNamed = async (key: string): Promise<boolean> =>
  (await assets.isReferenced(key)) || (await isPartOfUpload(key))

/** Whether a stored file is a part of an upload that goes on. */
export const isPartOfUpload = async (key: string): Promise<boolean> =>
  (await db.selectFrom('uploadParts').select('key').where('key', '=', key).executeTakeFirst()) !== undefined

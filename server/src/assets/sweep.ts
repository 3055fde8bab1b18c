import { rm } from 'node:fs/promises'
import { deleteOrSchedule } from './fileDeletion.ts'
import { MARK, storage } from './storage.ts'
import { isReferenced } from './storeFile.ts'

/** Deletes what a crash has left behind: incomplete files, and files that no asset refers to. */
export async function sweep(stillArriving: (name: string) => Promise<boolean>): Promise<void> {
  for (const name of await storage.arriving()) {
    if (await stillArriving(name)) continue
    if (name.endsWith(MARK)) {
      const key = name.slice(0, -MARK.length)
      if (!(await isReferenced(key))) await deleteOrSchedule(key)
    }
    await rm(storage.incoming(name), { force: true })
  }
}

import { rm } from 'node:fs/promises'
import { deleteOrSchedule } from './fileDeletion.ts'
import { MARK, storage } from './storage.ts'
import { isNamed } from './storeFile.ts'

/** Takes away what a crash has left: files that did not arrive whole, and files that no asset came to name. */
export async function sweep(stillArriving: (name: string) => Promise<boolean>): Promise<void> {
  for (const name of await storage.arriving()) {
    if (await stillArriving(name)) continue
    if (name.endsWith(MARK)) {
      const key = name.slice(0, -MARK.length)
      if (!(await isNamed(key))) await deleteOrSchedule(key)
    }
    await rm(storage.incoming(name), { force: true })
  }
}

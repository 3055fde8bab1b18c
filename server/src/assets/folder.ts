import { access, copyFile, open, opendir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from './fileStore.ts'

/** Stores files in a folder of this machine. */
export function folderStorage(root: string): Store & { pathOf: (key: string) => string } {
  const pathOf = (key: string) => join(root, key)
  return {
    pathOf,
    keep: async (file, key) => {
      await flush(file)
      await rename(file, pathOf(key))
      await flush(root)
    },
    withFile: async (key, work) => {
      await access(pathOf(key))
      return work(pathOf(key))
    },
    copyTo: (file, key) => copyFile(pathOf(key), file),
    remove: async (...keys) => {
      // Throws if the whole folder is missing (e.g. not mounted): nothing has been deleted then.
      await access(root)
      for (const key of keys) await rm(pathOf(key), { force: true })
    },
    keys: async function* keys() {
      for await (const entry of await opendir(root)) if (entry.isFile()) yield entry.name
    },
  }
}

/** Flushes a file, or the entries of a folder, to disk, so that they survive a power cut. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

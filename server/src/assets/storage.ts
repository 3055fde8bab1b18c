import { createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Where files are kept, by keys that this server makes. Files come into being in `incoming` and are moved when they
 * are whole. This is all that another kind of storage has to do.
 */
interface Storage {
  /** The path of a file that is on its way in. */
  incoming(name: string): string
  /** Moves a whole file to its key; it is there for good when the promise resolves. */
  keep(file: string, key: string): Promise<void>
  /** The path by which a kept file can be read. */
  fileOf(key: string): string
  /** Takes files away; one that is not there is none to take. */
  remove(...keys: string[]): Promise<void>
  /** The names of what is left in `incoming`. */
  arriving(): Promise<string[]>
}

/** The open storage. Set by `openStorage`. */
export let storage: Storage

/** Keeps files in a folder of this machine. */
export async function openStorage(root: string): Promise<void> {
  const hall = join(root, 'incoming')
  await mkdir(hall, { recursive: true, mode: 0o700 })
  const fileOf = (key: string) => join(root, key)
  storage = {
    incoming: (name) => join(hall, name),
    fileOf,
    keep: async (file, key) => {
      await flush(file)
      await rename(file, fileOf(key))
      await flush(root)
    },
    remove: async (...keys) => {
      for (const key of keys) await rm(fileOf(key), { force: true })
    },
    arriving: () => readdir(hall),
  }
}

/** Marks a key as about to be kept, until the returned function is called: a crash in between leaves the mark. */
export async function markKey(key: string): Promise<() => Promise<void>> {
  const mark = storage.incoming(`${key}${MARK}`)
  await new Promise<void>((resolve, reject) => {
    createWriteStream(mark, { flush: true, mode: 0o600 }).on('error', reject).on('close', resolve).end()
  })
  return () => rm(mark, { force: true })
}
export const MARK = '.new'

export const sizeOf = async (file: string): Promise<number> => (await stat(file)).size

/** Makes a file, or the names in a folder, survive a power cut. */
async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bucket, Store } from './fileStore.ts'
import { folderStorage } from './folder.ts'

/** Files come into being in a folder of this machine, `incoming`, and are kept when they are whole. */
interface Storage extends Store {
  /** The path of a file that is on its way in. */
  incoming(name: string): string
  /** The names of what is left in `incoming`. */
  arriving(): Promise<string[]>
}

/** The open storage. Set by `openStorage`. */
export let storage: Storage

/** Keeps files in a folder of this machine, or in a bucket; throws an Error of one line when the bucket cannot be used. */
export async function openStorage(root: string, bucket?: Bucket): Promise<void> {
  const hall = join(root, 'incoming')
  await mkdir(hall, { recursive: true, mode: 0o700 })
  const incoming = (name: string) => join(hall, name)
  // Loaded only where it is used: the client is large.
  const store = bucket ? await (await import('./bucket.ts')).openBucket(bucket, incoming) : folderStorage(root)
  storage = { ...store, incoming, arriving: () => readdir(hall) }
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

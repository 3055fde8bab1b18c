import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Bucket, Store } from './fileStore.ts'
import { folderStorage } from './folder.ts'

/** Files are first written to a local folder, `incoming`, and moved to the store when they are complete. */
interface Storage extends Store {
  /** The path of a file in `incoming`. */
  incoming(name: string): string
  /** The names of all files in `incoming`. */
  arriving(): Promise<string[]>
}

/** The current storage, set by `openStorage`. */
export let storage: Storage

/**
 * Stores files in a local folder or in a bucket; throws an Error with a one-line message if the bucket cannot be used.
 */
export async function openStorage(root: string, bucket?: Bucket): Promise<void> {
  const incomingFolder = join(root, 'incoming')
  await mkdir(incomingFolder, { recursive: true, mode: 0o700 })
  const incoming = (name: string) => join(incomingFolder, name)
  // Loaded on demand, since the client is large.
  const store = bucket ? await (await import('./bucket.ts')).openBucket(bucket, incoming) : folderStorage(root)
  storage = { ...store, incoming, arriving: () => readdir(incomingFolder) }
}

/** Marks a key as about to be stored, until the returned function is called. The mark survives a crash in between. */
export async function markKey(key: string): Promise<() => Promise<void>> {
  const mark = storage.incoming(`${key}${MARK}`)
  await new Promise<void>((resolve, reject) => {
    createWriteStream(mark, { flush: true, mode: 0o600 }).on('error', reject).on('close', resolve).end()
  })
  return () => rm(mark, { force: true })
}
export const MARK = '.new'

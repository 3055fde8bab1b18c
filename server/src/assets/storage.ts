import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { folderStorage } from './folder.ts'

/** What is asked of a file beside its key: the headers of a call, and whether its bytes are wanted at all. */
export interface ReadOptions {
  range?: string | undefined
  ifNoneMatch?: string | undefined
  headOnly?: boolean
}

/** A file as it is sent on; 304 and 416 have no bytes. */
export interface FileResponse {
  status: 200 | 206 | 304 | 416
  headers: Record<string, string | number>
  stream: Readable
}

/** Where whole files are kept, by keys that this server makes. */
export interface Store {
  /**
   * Takes a whole file to its key; it is there for good when the promise resolves, and no longer where it was.
   * `soon`: it is about to be worked on here.
   */
  keep(file: string, key: string, soon?: boolean): Promise<void>
  /** Lets `work` read a kept file at a path of this machine. Throws ENOENT for one that is not there. */
  withFile<T>(key: string, work: (path: string) => Promise<T>): Promise<T>
  /** Writes a copy of a kept file to a path of this machine. */
  copyTo(file: string, key: string): Promise<void>
  /** The path of a kept file, where files are on this machine. */
  pathOf?(key: string): string
  /** A kept file, or the part of it that is wanted, where files are elsewhere. Undefined for one that is not there. */
  open?(key: string, wanted: ReadOptions): Promise<FileResponse | undefined>
  /** Takes files away; one that is not there is none to take. */
  remove(...keys: string[]): Promise<void>
  /** The keys of all that is kept, in no order. */
  keys(): AsyncIterable<string>
}

/** A bucket of an S3-compatible service. */
export interface Bucket {
  name: string
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

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

/** The storage does not answer, or not as it should: the server's trouble, and nothing that the caller can mend. */
export class StorageError extends Error {
  readonly code = 'STORAGE'
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

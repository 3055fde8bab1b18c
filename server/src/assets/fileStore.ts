import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'

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

/** The storage does not answer, or not as it should: the server's trouble, and nothing that the caller can mend. */
export class StorageError extends Error {
  readonly code = 'STORAGE'
}

export const sizeOf = async (file: string): Promise<number> => (await stat(file)).size

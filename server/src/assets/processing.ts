import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { Refusal } from '#lib/errors.ts'
import { machineFault } from '#lib/faults.ts'
import type { AssetFindings } from '#lib/tables.ts'
import { assets, lookWith } from '#store/assets'
import { keysOf, originalKey } from './keys.ts'
import { drawPicture } from './pictures.ts'
import { measureRecording } from './recordings.ts'
import { scrub } from './scrub.ts'
import { sizeOf, storage, StorageError } from './storage.ts'

/** How long the answer to an upload waits for the file to be ready, in milliseconds. */
const PATIENCE = 5000
/** A thread of its own takes a while to begin, which pays for larger recordings only. Bytes. */
const LARGE = 16 * 1024 * 1024
/** When what failed for no fault of the file is tried again, in milliseconds. */
const AGAIN = 10_000
const BROKEN = 'The file is damaged or not whole: it cannot be decoded.'

// One at a time: a large picture takes memory, and all cores already.
let last: Promise<void> = Promise.resolve()
let stopped = false

/** What happens to a file after it is stored: PENDING → PROCESSING → READY, or ERROR with the reason. */
export const processing = {
  /** Adds an asset to the queue; resolves when it is ready or failed, or has taken longer than a person waits. */
  add: async (id: string): Promise<void> => {
    queue(id)
    const patience = new AbortController()
    await Promise.race([last, sleep(PATIENCE, undefined, { signal: patience.signal, ref: false })])
    patience.abort()
  },

  /** Takes up what a stop or a crash has left undone. */
  resume: async (): Promise<void> => {
    stopped = false
    for (const id of await assets.waiting()) queue(id)
  },

  /** Lets the work at hand come to its end for a while, and begins no other. The next start takes up what is left. */
  stop: async (): Promise<void> => {
    stopped = true
    await Promise.race([last, sleep(PATIENCE, undefined, { ref: false })])
  },
}

lookWith(processing.add)

function queue(id: string): void {
  last = last.then(() => work(id))
}

async function work(id: string): Promise<void> {
  if (stopped) return
  try {
    const asset = await assets.row(id)
    if (!asset || !['PENDING', 'PROCESSING'].includes(String(asset.status))) return
    const { type, storageKey } = asset
    await assets.found(id, storageKey, { status: 'PROCESSING' })
    await assets.found(id, storageKey, await findings(type, storageKey))
    // Deleted for good meanwhile: what was just drawn has nobody.
    if (!(await assets.row(id))) await storage.remove(...keysOf(storageKey))
  } catch {
    // The database, the disk or the bucket failed: it stays as it is, for another try, or the next start.
    setTimeout(() => queue(id), AGAIN).unref()
  }
}

async function findings(type: string, storageKey: string): Promise<AssetFindings> {
  try {
    if (type === 'IMAGE') {
      const draw = (source: string) => drawPicture(source, storageKey)
      return { status: 'READY', dimensions: await storage.withFile(originalKey(storageKey), draw) }
    }
    return await storage.withFile(storageKey, (source) => prepareRecording(source, storageKey))
  } catch (error) {
    // The disk or the bucket failed, and not the file.
    if (error instanceof StorageError || isOfMachine(error)) throw error
    return { status: 'ERROR', failure: error instanceof Refusal ? error.message : reasonOf(error) }
  }
}

/** Puts the recording without what it says of itself in the place of what was sent, where that can be done. */
async function prepareRecording(source: string, storageKey: string): Promise<AssetFindings> {
  const file = storage.incoming(`${storageKey}.scrubbed`)
  try {
    const isScrubbed = await ((await sizeOf(source)) > LARGE ? scrubApart : scrub)(source, file)
    const measured = await measureRecording(isScrubbed ? file : source)
    if (isScrubbed) await storage.keep(file, storageKey)
    return { status: 'READY', ...measured, keepsMetadata: !isScrubbed }
  } finally {
    await rm(file, { force: true })
  }
}

/** `scrub` in a thread of its own: copying a long recording here would keep calls waiting. */
const scrubApart = (file: string, to: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    new Worker(new URL('./scrubWorker.ts', import.meta.url), { workerData: { file, to } })
      .once('message', resolve)
      .once('error', reject)
      .once('exit', () => reject(new Error('The thread ended without an answer')))
  })

/** The library that draws pictures says what the system said, and gives it no code. */
const isOfMachine = (error: unknown): boolean =>
  !isMissing(error) &&
  (machineFault(error) !== undefined || /no space|read-only file|input\/output error/i.test((error as Error).message))

const isMissing = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message: string }
  return code === 'ENOENT' || /missing|No such file/i.test(message)
}

function reasonOf(error: unknown): string {
  if (isMissing(error)) return 'The file is no longer on the server.'
  return BROKEN
}

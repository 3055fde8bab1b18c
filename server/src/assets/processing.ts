import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '#lib/errors.ts'
import type { AssetFindings } from '#lib/tables.ts'
import { assets } from '#store/assets'
import { keysOf, originalKey } from './keys.ts'
import { drawPicture } from './pictures.ts'
import { measureRecording } from './recordings.ts'
import { storage, StorageError } from './storage.ts'

/** How long the answer to an upload waits for the file to be ready, in milliseconds. */
const PATIENCE = 5000
/** When what failed for no fault of the file is tried again, in milliseconds. */
const AGAIN = 30_000
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

  /** Lets the work at hand come to its end, and begins no other. */
  stop: async (): Promise<void> => {
    stopped = true
    await last
  },
}

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
    return { status: 'READY', ...(await storage.withFile(storageKey, measureRecording)) }
  } catch (error) {
    if (error instanceof StorageError) throw error
    return { status: 'ERROR', failure: error instanceof Refusal ? error.message : reasonOf(error) }
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  if (code === 'ENOSPC' || /no space/i.test(message)) return 'The server has no room left for this file.'
  if (code === 'ENOENT' || /missing|No such file/i.test(message)) return 'The file is no longer on the server.'
  return BROKEN
}

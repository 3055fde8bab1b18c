import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { machineFault } from '#lib/faults.ts'
import { closeSandbox, SandboxKilled } from '#sandbox/sandbox.ts'
import type { AssetFindings } from '#database/tables.ts'
import { assets, setAssetProcessor } from '#store/assets'
import { renderImage, prepareAudioVideo } from './inspect.ts'
import { hasPreview, keysOf, originalKey, sizedKey } from './keys.ts'
import { StorageError } from './fileStore.ts'
import { storage } from './storage.ts'

/** How long the answer to an upload waits for the file to be ready, in milliseconds. */
const STOP_TIMEOUT_MS = 5000
/** When what failed for no fault of the file is tried again, in milliseconds. */
const RETRY_INTERVAL_MS = 10_000
/** How often a file may end what processes it, or the whole server, before it is given up. */
const MAX_ATTEMPTS = 2
const BROKEN = reasonText('fileBroken')
const UNFIT = reasonText('fileUnfit')

// One at a time: a large picture takes memory, and all cores already.
let last: Promise<void> = Promise.resolve()
let stopped = false

/** What happens to a file after it is stored: PENDING → PROCESSING → READY, or ERROR with the reason. */
export const processing = {
  /** Adds an asset to the queue; resolves when it is ready or failed, or has taken longer than a person waits. */
  add: async (id: string): Promise<void> => {
    queue(id)
    const timeout = new AbortController()
    await Promise.race([last, sleep(STOP_TIMEOUT_MS, undefined, { signal: timeout.signal, ref: false })])
    timeout.abort()
  },

  /** Takes up what a stop or a crash has left undone. */
  resume: async (): Promise<void> => {
    stopped = false
    for (const id of await assets.waiting()) queue(id)
  },

  /** Lets the work at hand come to its end for a while, and begins no other. The next start takes up what is left. */
  stop: async (): Promise<void> => {
    stopped = true
    const ended = () => Promise.race([last, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
    await ended()
    await closeSandbox()
    await ended()
  },
}

setAssetProcessor(processing.add)

function queue(id: string): void {
  last = last.then(() => work(id))
}

async function work(id: string): Promise<void> {
  if (stopped) return
  try {
    const asset = await assets.row(id)
    if (!asset || !['PENDING', 'PROCESSING'].includes(String(asset.status))) return
    const { type, storageKey } = asset
    const attempts = Number(asset.attempts)
    if (attempts >= MAX_ATTEMPTS) return await assets.found(id, storageKey, { status: 'ERROR', failure: UNFIT })
    // Written before the attempt: a file that takes the whole server with it is not tried for ever.
    await assets.found(id, storageKey, { status: 'PROCESSING', attempts: attempts + 1 })
    try {
      await assets.found(id, storageKey, await probeAsset(type, storageKey))
    } catch (error) {
      if (error instanceof SandboxKilled && !stopped) return queue(id)
      // The machine failed, or the server stops: that attempt was not the fault of the file.
      await assets.found(id, storageKey, { status: 'PROCESSING', attempts })
      throw error
    }
    // Deleted for good meanwhile: what was just drawn has nobody.
    if (!(await assets.row(id))) await storage.remove(...keysOf(storageKey))
  } catch {
    // The database, the disk or the bucket failed: it stays as it is, for another try, or the next start.
    setTimeout(() => queue(id), RETRY_INTERVAL_MS).unref()
  }
}

async function probeAsset(type: string, storageKey: string): Promise<AssetFindings> {
  try {
    if (type === 'IMAGE')
      return await storage.withFile(originalKey(storageKey), (source) => picture(source, storageKey))
    return await storage.withFile(storageKey, (source) => recording(source, storageKey))
  } catch (error) {
    // The disk or the bucket failed, and not the file.
    if (error instanceof StorageError || error instanceof SandboxKilled || isOfMachine(error)) throw error
    return { status: 'ERROR', failure: error instanceof Refusal ? error.message : reasonOf(error) }
  }
}

/** Keeps the picture and its smaller versions as they were drawn. */
async function picture(source: string, storageKey: string): Promise<AssetFindings> {
  const drawn = (key: string) => storage.incoming(`${key}.drawn`)
  const keys = { full: storageKey, small: sizedKey(storageKey, 'small'), medium: sizedKey(storageKey, 'medium') }
  const files = { full: drawn(keys.full), small: drawn(keys.small), medium: drawn(keys.medium) }
  try {
    const dimensions = await renderImage(source, files)
    await storage.keep(files.full, keys.full)
    await storage.keep(files.small, keys.small)
    if (hasPreview(dimensions)) await storage.keep(files.medium, keys.medium)
    return { status: 'READY', dimensions }
  } finally {
    for (const file of Object.values(files)) await rm(file, { force: true })
  }
}

/** Puts the recording without what it says of itself in the place of what was sent, where that can be done. */
async function recording(source: string, storageKey: string): Promise<AssetFindings> {
  const file = storage.incoming(`${storageKey}.scrubbed`)
  try {
    const { isScrubbed, ...measured } = await prepareAudioVideo(source, file)
    if (isScrubbed) await storage.keep(file, storageKey)
    return { status: 'READY', ...measured, keepsMetadata: !isScrubbed }
  } finally {
    await rm(file, { force: true })
  }
}

/** The library that draws pictures says what the system said, and gives it no code. */
const isOfMachine = (error: unknown): boolean =>
  !isMissing(error) &&
  (machineFault(error) !== undefined || /no space|read-only file|input\/output error/i.test((error as Error).message))

const isMissing = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message: string }
  return code === 'ENOENT' || /missing|No such file/i.test(message)
}

function reasonOf(error: unknown): string {
  if (isMissing(error)) return reasonText('fileGone')
  return BROKEN
}

import { rm } from 'node:fs/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import { afterCommit, transaction } from '#database/db.ts'
import type { AssetFindings } from '#database/tables.ts'
import { publishJobs } from '#jobs/signal.ts'
import { ClaimLost, drop, put } from '#jobs/queue.ts'
import { settle } from '#jobs/settle.ts'
import { type Job, registerWork } from '#jobs/work.ts'
import { Refusal } from '#lib/errors.ts'
import { machineFault } from '#lib/faults.ts'
import { costsTooMuch, SandboxKilled } from '#sandbox/sandbox.ts'
import { assets, isWaiting, PROCESSING, processingJob } from '#store/assets'
import { renderImage, prepareAudioVideo } from './inspect.ts'
import { deleteOrSchedule } from './fileDeletion.ts'
import { hasPreview, originalKey, sizedKey } from './keys.ts'
import { StorageError } from './fileStore.ts'
import { storage } from './storage.ts'

/** How often a file may end what processes it, a parser process or the whole server, before it is given up. */
const MAX_ATTEMPTS = 2
const BROKEN = reasonText('fileBroken')
const UNFIT = reasonText('fileUnfit')

/** Processes a file after it is stored: PENDING → PROCESSING → READY, or ERROR with the reason. */
registerWork(PROCESSING, {
  // A large image takes much memory, and uses all cores already.
  hasOwnSlot: true,
  // Machine faults are no failure of the file, so retries are unlimited. How often a file has crashed its process is
  // counted on the asset instead: older server versions count there, too, and a new job for the same file continues the
  // count.
  attempts: Infinity,
  run: processAsset,
  ended: async (tx, id, ending) => {
    if (ending !== 'done') await assets.failUnprocessed(tx, id, reasonText('fileCancelled'))
    await drop(tx, id)
  },
})

/** Queues files that wait without a job: from older server versions, or from a restored backup. */
export async function queueWaitingFiles(): Promise<void> {
  for (const asset of await assets.withoutJob())
    await transaction((tx) => put(tx, processingJob(asset), { unlessUnfinished: true }))
}

/**
 * Processes a file once. One that ends the process that parses it is tried once more: if memory runs out, Linux may have
 * chosen this process because of another.
 */
async function processAsset({ _id: id, signal, hold }: Job): Promise<void> {
  const asset = await assets.row(id)
  if (signal.aborted || !asset || !isWaiting(asset)) return
  const { type, storageKey } = asset
  const attempts = Number(asset.attempts)
  const storeFindings = (findings: AssetFindings): Promise<void> =>
    transaction(async (tx) => {
      await hold(tx)
      await assets.storeFindings(tx, id, storageKey, findings)
      if (findings.status !== 'PROCESSING') afterCommit(tx, publishJobs)
    })
  const giveUp = () => storeFindings({ status: 'ERROR', failure: UNFIT })
  if (attempts >= MAX_ATTEMPTS) return giveUp()
  try {
    // Stored before the attempt, so that a file that crashes the whole server is not retried forever.
    await storeFindings({ status: 'PROCESSING', attempts: attempts + 1 })
    await storeFindings(await processFile(type, storageKey))
  } catch (error) {
    if (error instanceof ClaimLost) {
      // The asset was permanently deleted meanwhile, so nothing refers to the files just rendered.
      if (!(await assets.row(id))) await deleteOrSchedule(storageKey)
      throw error
    }
    if (costsTooMuch(error) && !signal.aborted) {
      if (attempts + 1 >= MAX_ATTEMPTS) return giveUp()
      throw error
    }
    // The machine failed or is too busy, or the server is stopping: this attempt does not count against the file.
    await settle(() => storeFindings({ status: 'PROCESSING', attempts }), signal)
    throw error
  }
}

async function processFile(type: string, storageKey: string): Promise<AssetFindings> {
  try {
    if (type === 'IMAGE')
      return await storage.withFile(originalKey(storageKey), (source) => processPicture(source, storageKey))
    return await storage.withFile(storageKey, (source) => processRecording(source, storageKey))
  } catch (error) {
    // The disk or the bucket failed, not the file.
    if (error instanceof StorageError || error instanceof SandboxKilled || isOfMachine(error)) throw error
    return { status: 'ERROR', failure: error instanceof Refusal ? error.message : reasonOf(error) }
  }
}

/** Renders and stores an image and its smaller versions. */
async function processPicture(source: string, storageKey: string): Promise<AssetFindings> {
  const fileFor = (key: string) => storage.incoming(`${key}.drawn`)
  const keys = { full: storageKey, small: sizedKey(storageKey, 'small'), medium: sizedKey(storageKey, 'medium') }
  const files = { full: fileFor(keys.full), small: fileFor(keys.small), medium: fileFor(keys.medium) }
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

/** Replaces a recording with a version without metadata, if possible. */
async function processRecording(source: string, storageKey: string): Promise<AssetFindings> {
  const file = storage.incoming(`${storageKey}.scrubbed`)
  try {
    const { isScrubbed, ...measured } = await prepareAudioVideo(source, file)
    if (isScrubbed) await storage.keep(file, storageKey)
    return { status: 'READY', ...measured, keepsMetadata: !isScrubbed }
  } finally {
    await rm(file, { force: true })
  }
}

/** sharp reports system errors in its message only, without a code. */
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

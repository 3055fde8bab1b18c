import { type Asset, assetsApi, uploadsApi } from '@mokuroku/contract/assets'
import { ApiError } from '@mokuroku/contract/call'
import { lostConnection } from '#api/connection.ts'
import { newKey } from '#api/call.ts'
import { deliver } from '#api/delivery.ts'
import { localized, messageOf } from '#i18n/errors.ts'
import { toastFailure, wrote } from '#api/queryClient.ts'
import { session } from '#api/session.ts'
import { isDisconnected, isInParts, uploadFile } from '#api/upload.ts'
import { createStore } from '#lib/createStore.ts'
import { toast } from '#ui/toast.ts'
import { assetTexts } from './texts.ts'

export interface Upload {
  key: number
  file: File
  isPublic: boolean
  /** The asset whose file it replaces, as the user has seen it. */
  replaces?: Asset | undefined
  /** Two uploads of one file are two, a retry is not. */
  idempotencyKey: string
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Bytes sent so far. */
  sent: number
  /** Error message, if it failed. */
  problem?: string | undefined
  /** Whether a retry may succeed: no response came, or the server had a temporary problem. */
  canRetry?: boolean
  asset?: Asset
  /** The upload session that a retry resumes. */
  sessionId?: string | undefined
}

/** Whether it was not uploaded, or the server could not process it. */
export const hasFailed = ({ state, asset }: Upload): boolean => state === 'failed' || asset?.status === 'ERROR'

const CONCURRENCY = 2
/** How often lists are refetched while files arrive, in milliseconds. */
const REFRESH_INTERVAL_MS = 2000

// A module-level store, so that uploads continue when the panel is closed or another screen is shown.
const uploads = createStore<readonly Upload[]>([])
const running = new Map<number, AbortController>()
let last = 0

export const useUploads = uploads.use

const userNow = () => {
  const now = session.get()
  return now.state === 'in' ? now.user._id : undefined
}
let owner = userNow()
// After the end of a session, the same user can retry them.
session.subscribe(() => {
  const user = userNow()
  if (user === undefined || user === owner) return
  owner = user
  for (const { key } of uploads.get()) cancelUpload(key)
})

addEventListener('beforeunload', (event) => {
  if (uploads.get().some(isUnfinished)) event.preventDefault()
})

interface Adding {
  isPublic: boolean
  /** The maximum size of one file in bytes. */
  maxBytes: number
  /** Why the user may not upload videos, if so. */
  noVideo: string | undefined
  replaces?: Asset
}

/** Queues files; each becomes an asset, unless it replaces the file of one. */
export function addFiles(files: Iterable<File>, { maxBytes, noVideo, ...how }: Adding) {
  const texts = assetTexts.get().upload
  const added = [...files].map((file): Upload => {
    const problem =
      (file.type.startsWith('video/') && noVideo) ||
      (file.size > maxBytes ? texts.tooLarge(maxBytes) : file.size === 0 ? texts.emptyFile : undefined)
    if (problem && how.replaces) toast.error(assetTexts.get().replaceFailed(how.replaces.filename), problem)
    return {
      key: ++last,
      idempotencyKey: newKey(),
      file,
      ...how,
      sent: 0,
      state: problem ? 'failed' : 'waiting',
      problem,
    }
  })
  uploads.set([...uploads.get(), ...added])
  startNext()
}

/** Aborts an upload and removes it from the list; the server discards what it has received. */
export function cancelUpload(key: number) {
  const upload = uploads.get().find((each) => each.key === key)
  running.get(key)?.abort(new Error('cancelled'))
  uploads.set(uploads.get().filter((each) => each.key !== key))
  if (upload?.sessionId && upload.state !== 'done') deliver(uploadsApi.cancel, { id: upload.sessionId })
}

export function retryUpload(key: number) {
  change(key, { state: 'waiting', problem: undefined })
  startNext()
}

export const clearDone = () => uploads.set(uploads.get().filter(({ state }) => state !== 'done'))

/** Starts what waits, unless the connection is lost: then once it is back. */
function startNext() {
  if (lostConnection.get()) return
  for (const upload of uploads.get()) {
    if (running.size >= CONCURRENCY) return
    if (upload.state === 'waiting') void run(upload)
  }
}

lostConnection.subscribe(startNext)

async function run({ key, file, isPublic, replaces, idempotencyKey, sessionId }: Upload) {
  const control = new AbortController()
  running.set(key, control)
  change(key, { state: 'sending', sent: 0 })
  try {
    const asset = await uploadFile(file, {
      isPublic,
      replaces,
      idempotencyKey,
      sessionId,
      refresh: false,
      signal: control.signal,
      onSession: (id) => change(key, { sessionId: id }),
      onProgress: (sent) => change(key, { sent: Math.min(sent, file.size) }),
    })
    change(key, { state: 'done', asset, sent: file.size })
    if (replaces) announceReplaced(asset)
    refresh()
  } catch (error) {
    if (control.signal.aborted) return
    if (isInParts(file, replaces) && isDisconnected(error)) return change(key, { state: 'waiting' })
    change(key, { state: 'failed', problem: messageOf(error), canRetry: isPassing(error) })
    if (replaces) toastFailure(assetTexts.get().replaceFailed(replaces.filename), error)
  } finally {
    running.delete(key)
    startNext()
  }
}

/** Also if the new file turns out to be damaged, since the previous one is no longer shown. */
function announceReplaced({ filename, failure }: Asset) {
  const message = assetTexts.get().replaced(filename)
  if (failure) toast.error(message, localized(failure))
  else toast.success(message)
}

let waiting: ReturnType<typeof setTimeout> | undefined

/** Refetches what shows assets: immediately after the last file, throttled while many files arrive. */
function refresh() {
  const isLast = !uploads.get().some(isUnfinished)
  if (isLast) clearTimeout(waiting)
  else if (waiting !== undefined) return
  waiting = setTimeout(
    () => {
      waiting = undefined
      wrote(assetsApi.upload)
    },
    isLast ? 0 : REFRESH_INTERVAL_MS,
  )
}

/** Whether it is being sent, or will be. */
export const isUnfinished = ({ state }: Upload) => state === 'sending' || state === 'waiting'

const isPassing = (error: unknown) =>
  !(error instanceof ApiError) ||
  error.status < 400 ||
  error.status >= 500 ||
  [401, 404, 409, 429].includes(error.status)

function change(key: number, patch: Partial<Upload>) {
  uploads.set(uploads.get().map((each) => (each.key === key ? { ...each, ...patch } : each)))
}

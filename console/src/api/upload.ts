// Our own client: the protocol is specific to our server (server/src/assets/uploadSessions.ts), and this is a tenth of
// the size of tus-js-client.
import { type Asset, assetsApi, type UploadSession, uploadsApi } from '@mokuroku/contract/assets'
import { ApiError, urlOf } from '@mokuroku/contract/call'
import type { Route } from '@mokuroku/contract/route'
import { bearer, call, failureHandler, once } from './call.ts'
import { lostConnection } from './connection.ts'
import { deliver } from './delivery.ts'
import { apiHost } from './host.ts'
import { wrote } from './queryClient.ts'
import { handleExpiredToken, token } from './session.ts'
import { isUnreached } from './unreached.ts'

/** Larger files are sent in parts, so that a lost connection only costs one part. */
const LARGE_FILE_BYTES = 8 * 1024 * 1024
const PART_BYTES = 4 * 1024 * 1024
/** Attempts per part before giving up, and the first backoff. */
const RETRY = { maxAttempts: 4, delayMs: 1000 }

/** Whether an upload can be resumed: of a large file, and of one that replaces another, so that it does so only once. */
export const isInParts = ({ size }: File, replaces?: Asset): boolean =>
  size > LARGE_FILE_BYTES || replaces !== undefined

/** Whether something failed because the connection is lost. */
export const isDisconnected = (error: unknown): boolean => isUnreached(error) && lostConnection.get() !== undefined

export interface UploadOptions {
  signal: AbortSignal
  /** Called with the number of bytes sent so far. */
  onProgress: (bytes: number) => void
  /** False: the caller itself reports that something was written. */
  refresh?: boolean
}

interface NewFile extends UploadOptions {
  isPublic: boolean
  /** Its Idempotency-Key, the same one for a retry. */
  idempotencyKey: string
  /** The asset whose file it replaces, as the user has seen it. */
  replaces?: Asset | undefined
  /** The upload session of an earlier attempt, to be resumed. */
  sessionId?: string | undefined
  onSession: (id: string) => void
}

/** Uploads a file as a new asset, or in place of that of one. Throws ApiError, or the signal's reason if it was aborted. */
export function uploadFile(file: File, how: NewFile): Promise<Asset> {
  const { isPublic, idempotencyKey, replaces } = how
  if (replaces) return uploadInParts(file, how).catch((error: unknown) => replaceWhole(file, replaces, how, error))
  if (isInParts(file)) return uploadInParts(file, how)
  const data = form(file, { isPublic: String(isPublic) })
  return send(assetsApi.upload, {}, data, { 'idempotency-key': idempotencyKey }, how)
}

/** For servers of the previous version, whose error is that they do not know the field. Otherwise throws `error`. */
function replaceWhole(file: File, { _id, version }: Asset, how: NewFile, error: unknown): Promise<Asset> {
  if (!(error instanceof ApiError && error.errors?.some(({ path }) => path === 'replaces'))) throw error
  return send(assetsApi.replace, { id: _id }, form(file), { 'if-match': `"${version}"` }, how)
}

/**
 * Uploads one picture; `onProgress` is called with the number of bytes sent so far. Chosen again after a lost response, it
 * is the same one, if its content is (which the server compares). Throws ApiError.
 */
export function sendImage(file: File, onProgress: (bytes: number) => void = () => undefined): Promise<Asset> {
  const data = new FormData()
  data.append('image', file)
  const how = { signal: new AbortController().signal, onProgress }
  return once(JSON.stringify([file.name, file.size]), (key) =>
    send(assetsApi.uploadImage, {}, data, { 'idempotency-key': key }, how),
  )
}

/** The fields must precede the file: the server reads them in this order. */
export function form(file: File, fields: Record<string, string> = {}): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.append(name, value)
  data.append('file', file)
  return data
}

async function uploadInParts(file: File, how: NewFile): Promise<Asset> {
  let session: UploadSession | undefined
  for (let tries = 1; ;) {
    try {
      session ??= await resumeOrStart(file, how)
      how.onProgress(session.offset)
      // The last part had arrived, but its response was lost.
      if (session.asset) return session.asset
      session = await sendPart(file, session, how)
      // A server of the previous version takes the parts of a replacement, but cannot complete it.
      if (session.offset === file.size && !session.asset) throw new ApiError(503, undefined)
      tries = 1
    } catch (error) {
      if (session) how.onProgress(session.offset)
      // Without a connection, it is the caller who waits.
      if (!isRetryable(error) || tries >= RETRY.maxAttempts || isDisconnected(error)) throw error
      await delay(RETRY.delayMs * 2 ** (tries++ - 1), how.signal)
      if (session) session = await call(uploadsApi.find, { id: session._id, signal: how.signal }).catch(() => session)
    }
  }
}

/** Sends the next part, until the connection is lost: without it, its request could hang for long. */
function sendPart(file: File, { _id, offset }: UploadSession, how: NewFile): Promise<UploadSession> {
  const part = file.slice(offset, offset + PART_BYTES)
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
  const onProgress = (bytes: number) => how.onProgress(offset + bytes)
  const lost = new AbortController()
  const stopIfLost = () => lostConnection.get() && lost.abort(new ApiError(0, undefined))
  const unsubscribe = lostConnection.subscribe(stopIfLost)
  stopIfLost()
  const signal = AbortSignal.any([how.signal, lost.signal])
  return send<UploadSession>(uploadsApi.append, { id: _id }, part, headers, { ...how, signal, onProgress }).finally(
    unsubscribe,
  )
}

/** The session to resume, or a new one if there is none or it has expired. */
async function resumeOrStart(
  { name, size }: File,
  { sessionId, onSession, isPublic, idempotencyKey: key, replaces, signal }: NewFile,
): Promise<UploadSession> {
  if (sessionId) {
    try {
      return await call(uploadsApi.find, { id: sessionId, signal })
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
  }
  const seen = replaces && { _id: replaces._id, version: replaces.version }
  const body = { filename: name, size, isPublic, ...(seen && { replaces: seen }) }
  // Not aborted by the signal: without the response, the new session's id would be unknown and could not be cancelled.
  const next = await call(uploadsApi.begin, { body, key })
  if (signal.aborted) {
    deliver(uploadsApi.cancel, { id: next._id })
    throw signal.reason as Error
  }
  onSession(next._id)
  return next
}

const isRetryable = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || error.status === 409 || error.status >= 500)

const delay = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

/** Sends a body with upload progress, which `fetch` does not support. */
export function send<T>(
  route: Route,
  params: { id?: string },
  body: FormData | Blob,
  headers: Record<string, string>,
  { signal, onProgress, refresh = true }: UploadOptions,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error)
    const used = token.get()
    const handleFailure = failureHandler(route, params)
    const request = new XMLHttpRequest()
    request.open(route.method, apiHost + urlOf(route, params))
    for (const [name, value] of Object.entries({ ...headers, ...bearer(used) })) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    const fail = (status: number, answer?: unknown) => {
      const error = new ApiError(status, answer)
      handleFailure(error)
      reject(error)
    }
    request.addEventListener('load', () => {
      if (request.status === 401) handleExpiredToken(used)
      const answer = parsed(request.responseText)
      if (request.status < 200 || request.status > 299) return fail(request.status, answer)
      // As without a response: whether the file was stored is unknown.
      if (answer === undefined) return fail(0)
      if (refresh) wrote(route)
      resolve(answer as T)
    })
    request.addEventListener('error', () => fail(0))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(body)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

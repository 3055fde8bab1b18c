import { authApi } from '@mokuroku/contract/auth'
import {
  ApiError,
  type Call,
  createClient,
  createCountedClient,
  type HttpResponse,
  type HttpRequest,
  urlOf,
} from '@mokuroku/contract/call'
import { writtenBy } from '@mokuroku/contract/freshness'
import type { Route } from '@mokuroku/contract/route'
import { isUncertain, outcomes } from '#lib/errorStatus.ts'
import { takePrefetched } from './early.ts'
import { lostConnection } from './connection.ts'
import { apiHost } from './host.ts'
import { wrote } from './queryClient.ts'
import { mayRepeat } from './reauthenticate.ts'
import { handleExpiredToken, token, updateMe } from './session.ts'

const typed = createClient(send)

/** Until a button shows that it is busy, also on a slow device. */
const MOMENT_MS = 500
/** Writes that were just sent and have no response yet, by session and what they send. */
const pending = new Map<string, Promise<unknown>>()

/**
 * The console's typed client: `call(mediaApi.find, { id })`. Throws ApiError; status 0 means that no response came.
 * After a write, invalidates all cached queries that show the kinds it wrote. The same write is not sent twice in
 * the same moment, by two presses of a button, except with an Idempotency-Key, which makes it harmless.
 */
export const call: Call = (route, ...input) => {
  if (route.method === 'GET' || route.idempotent || input[0]?.signal) return settled(route, ...input)
  const sent = JSON.stringify([token.get(), route.method, route.path, input])
  const known = pending.get(sent)
  if (known) return known as never
  const answer = settled(route, ...input)
  const forget = () => pending.get(sent) === answer && pending.delete(sent)
  pending.set(sent, answer)
  setTimeout(forget, MOMENT_MS)
  return answer.finally(forget)
}

const settled: Call = async (route, ...input) => {
  const handleFailure = failureHandler(route, input[0])
  try {
    const answer = await (route.idempotent ? withKey(route, ...input) : typed(route, ...input))
    wrote(route)
    return answer
  } catch (error) {
    const done = error instanceof ApiError && handleFailure(error)
    if (done) return done as never
    throw error
  }
}

/** The URLs of writes that may have happened although they failed. */
const unanswered = new Set<string>()
const DONE = { success: true }
const DONE_BY_OTHERS = { success: true }

/** Whether the response of a deletion says that somebody else had deleted it already. */
export const isDoneByOthers = (response: unknown): boolean => response === DONE_BY_OTHERS

/** A new Idempotency-Key. */
export const newKey = (): string => `${Date.now()}-${Math.random()}`

/** The Idempotency-Keys of what has not been sent with success, by what is sent. */
const keys = new Map<string, string>()

/** Sends a call with the caller's key, or else as `once` does. */
const withKey: Call = (route, ...input) =>
  once(JSON.stringify([route.path, input]), (key) =>
    typed(route, ...([{ key, ...input[0] }] as unknown as typeof input)),
  )

/**
 * Sends something with a new Idempotency-Key, or else that of its last attempt, which may have succeeded although its
 * response was lost.
 */
export async function once<T>(sent: string, sendWith: (key: string) => Promise<T>): Promise<T> {
  const key = keys.get(sent) ?? newKey()
  keys.set(sent, key)
  const answer = await sendWith(key)
  keys.delete(sent)
  return answer
}

/** As `call`, for lists that return their total count. */
export const countedCall = createCountedClient(send)

/** What input is refused for if others have changed what it refers to: an entity, or a language of the site. */
const STALE: ReadonlySet<string | undefined> = new Set(['notThere', 'languageOther'])

/**
 * To be created when a call is sent, and called if it fails: the shown data is stale (404, 409, 412, or it refers to
 * something that does not exist), or the known permissions are (403), or it is unknown whether a write happened (no
 * response, 5xx). Returns a response if what is refused has been done already: deleted by anyone, or rolled back by an
 * earlier attempt.
 */
export function failureHandler(
  route: Route,
  input: Record<string, unknown> = {},
): (error: ApiError) => object | undefined {
  const wasConnected = navigator.onLine && !lostConnection.get()
  return (error) => {
    const { status, code, errors } = error
    const isUnknown = isUncertain(error)
    if (isUnknown || [404, 409, 412].includes(status) || errors?.some((each) => STALE.has(each.code))) wrote(route)
    if (status === 403 && code !== 'reauthenticate' && route.method !== 'GET') void refreshMe()
    const url = urlOf(route, input)
    // The server itself has undone what it answers with a code. Nothing arrives that is sent without a connection.
    if (isUnknown && !code && wasConnected && isWrite(route, input)) {
      outcomes.set(error, 'unconfirmed')
      unanswered.add(url)
    }
    const isDeletion = status === 404 && route.method === 'DELETE'
    if (unanswered.has(url) && (code === 'rolledBack' || isDeletion)) return DONE
    if (code !== 'notFound' || isPurge(route) || !isWrite(route, input)) return undefined
    outcomes.set(error, isRestore(route) ? 'purged' : 'deleted')
    return isDeletion ? DONE_BY_OTHERS : undefined
  }
}

/** Whether a call changes something: not a preview, and nothing that is sent without a sign-in. */
const isWrite = (route: Route, { body }: { body?: unknown }): boolean =>
  route.access !== 'public' && writtenBy(route).length > 0 && !(body as { dryRun?: boolean } | undefined)?.dryRun

/** Whether a call takes an entity out of the trash, instead of restoring a version of it. */
const isRestore = ({ path }: Route): boolean => path.endsWith('/restore') && !path.startsWith('/api/revisions/')

/** What cannot be purged may have been restored instead. */
const isPurge = ({ path }: Route): boolean => path.startsWith('/api/trash/')

/** Fetches the signed-in user again, whose permissions others may have changed. If that fails, nothing is updated. */
export async function refreshMe(): Promise<void> {
  const used = token.get()
  const answer = await typed(authApi.verify).catch(() => undefined)
  if (!answer || token.get() !== used) return
  // The preferences may just be changing here.
  const { preferences: _, ...user } = answer.user
  updateMe(user)
}

/** The authorization header; exported for requests that do not go through `call`, such as streams and uploads. */
export const bearer = (used = token.get()): Record<string, string> => (used ? { authorization: `Bearer ${used}` } : {})

async function send(request: HttpRequest): Promise<HttpResponse> {
  const answer = await sendOnce(request)
  return (await mayRepeat(answer.status, answer.body, request.url)) ? sendOnce(request) : answer
}

/** After this time, a read fails, so that its screen can offer Retry. Writes are awaited: they may still succeed. */
const READ_TIMEOUT_MS = 60_000

async function sendOnce({ url, headers, signal, ...request }: HttpRequest): Promise<HttpResponse> {
  const used = token.get()
  const early = takePrefetched(request.method, url, used)
  const signals = [signal, request.method === 'GET' && AbortSignal.timeout(READ_TIMEOUT_MS)].filter((each) => !!each)
  const init = { ...request, headers: { ...headers, ...bearer(used) }, signal: AbortSignal.any(signals) }
  const response = await answered(early ?? fetch(apiHost + url, init), signal)
  // A 401 from the sign-in call means wrong credentials, not an expired session.
  if (response.status === 401 && url !== authApi.login.path) handleExpiredToken(used)
  const total = response.headers.get('x-total-count') ?? undefined
  // Without the body of a success, its outcome is unknown; without that of a failure, its reason.
  const body: unknown = await answered(response.json(), signal).catch((error: unknown) => {
    if (response.ok || signal?.aborted) throw error
  })
  return { status: response.status, body, total }
}

/** What has arrived. Throws ApiError 0 if nothing does, unless the caller has aborted. */
const answered = <T>(arriving: Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
  arriving.catch((error: unknown) => {
    throw signal?.aborted ? error : new ApiError(0, undefined, { cause: error })
  })

import { authApi } from '@mokuroku/contract/auth'
import {
  ApiError,
  type Call,
  createClient,
  createCountedClient,
  type HttpResponse,
  type HttpRequest,
} from '@mokuroku/contract/call'
import type { Route } from '@mokuroku/contract/route'
import { takeEarly } from './early.ts'
import { apiHost } from './host.ts'
import { wrote } from './queryClient.ts'
import { mayRepeat } from './reauthenticate.ts'
import { handleExpiredToken, token } from './session.ts'

const typed = createClient(send)

/**
 * The typed client of the console: `call(mediaApi.find, { id })`. Throws ApiError; status 0 means no answer came.
 * After a write, what shows the kinds that it wrote is out of date, on every screen.
 */
export const call: Call = async (route, ...input) => {
  try {
    const answer = await typed(route, ...input)
    wrote(route)
    return answer
  } catch (error) {
    if (error instanceof ApiError) refusedWrite(route, error)
    throw error
  }
}

/** As `call`, for lists that say how many they have in all. */
export const countedCall = createCountedClient(send)

/** What is shown is not what is there (404, 409, 412), or nobody knows whether it was written (no answer, 5xx). */
function refusedWrite(route: Route, { status }: ApiError) {
  const isOutdated = status === 404 || status === 409 || status === 412
  if (isOutdated || status === 0 || status >= 500) wrote(route, { refresh: isOutdated })
}

/** The header that says who calls; for the streams, which do not go through `call`. */
export const bearer = (used = token.get()): Record<string, string> => (used ? { authorization: `Bearer ${used}` } : {})

async function send(request: HttpRequest): Promise<HttpResponse> {
  const answer = await sendOnce(request)
  return (await mayRepeat(answer.status, answer.body, request.url)) ? sendOnce(request) : answer
}

async function sendOnce({ url, headers, signal, ...request }: HttpRequest): Promise<HttpResponse> {
  const used = token.get()
  const early = takeEarly(request.method, url, used)
  const response = await reach(early, apiHost + url, { ...request, signal, headers: { ...headers, ...bearer(used) } })
  // A refused sign-in is an answer to the form, not the end of a session.
  if (response.status === 401 && url !== authApi.login.path) handleExpiredToken(used)
  const total = response.headers.get('x-total-count') ?? undefined
  return { status: response.status, body: await response.json().catch(() => undefined), total }
}

async function reach(
  early: Promise<Response> | undefined,
  url: string,
  init: Omit<RequestInit, 'signal'> & { signal: AbortSignal | undefined },
) {
  try {
    return await (early ?? fetch(url, { ...init, signal: init.signal ?? null }))
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, undefined)
  }
}

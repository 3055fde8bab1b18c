import { authApi } from '@mokuroku/contract/auth'
import { ApiError, caller, type Incoming, type Outgoing } from '@mokuroku/contract/call'
import { apiHost } from './host.ts'
import { mayRepeat } from './reauthenticate.ts'
import { expire, token } from './session.ts'

/** The typed client of the console: `call(mediaApi.find, { id })`. Throws ApiError; status 0 means no answer came. */
export const call = caller(send)

/** The header that says who calls; for the streams, which do not go through `call`. */
export const bearer = (used = token.get()): Record<string, string> => (used ? { authorization: `Bearer ${used}` } : {})

async function send(request: Outgoing): Promise<Incoming> {
  const answer = await sendOnce(request)
  return (await mayRepeat(answer.status, answer.body, request.url)) ? sendOnce(request) : answer
}

async function sendOnce({ url, headers, signal, ...request }: Outgoing): Promise<Incoming> {
  const used = token.get()
  const response = await reach(apiHost + url, { ...request, signal, headers: { ...headers, ...bearer(used) } })
  // A refused sign-in is an answer to the form, not the end of a session.
  if (response.status === 401 && url !== authApi.login.path) expire(used)
  return { status: response.status, body: await response.json().catch(() => undefined) }
}

async function reach(url: string, init: Omit<RequestInit, 'signal'> & { signal: AbortSignal | undefined }) {
  try {
    return await fetch(url, { ...init, signal: init.signal ?? null })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new ApiError(0, undefined)
  }
}

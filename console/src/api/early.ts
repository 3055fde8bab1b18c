import type { Route } from '@mokuroku/contract/route'
import { isExpired } from '#lib/token.ts'
import { localEntry } from './browserStorage.ts'
import { apiHost } from './host.ts'

/** How long a prefetched response may take, and wait until it is used; then it is stale. */
const PREFETCHED_TTL_MS = 60_000

const stored = localEntry('authToken').get()
const answers = new Map<string, Promise<Response>>()

/** Whether a token is stored that has not expired. */
export const hasToken = stored !== undefined && !isExpired(stored)

/** Prefetches calls without input, with the stored token, before the app has started. */
export function prefetch(routes: readonly Route[]): void {
  for (const { method, path } of routes) {
    const headers = { authorization: `Bearer ${stored}` }
    const answer = fetch(apiHost + path, { method, headers, signal: AbortSignal.timeout(PREFETCHED_TTL_MS) })
    // Prevents an unhandled rejection; whoever takes the response handles the failure.
    answer.catch(() => undefined)
    answers.set(path, answer)
  }
  setTimeout(() => answers.clear(), PREFETCHED_TTL_MS)
}

/** The prefetched response to a call with this token. Each is returned once; a write discards them all. */
export function takePrefetched(method: string, url: string, used: string | undefined): Promise<Response> | undefined {
  if (method !== 'GET') answers.clear()
  const answer = used === stored ? answers.get(url) : undefined
  answers.delete(url)
  return answer
}

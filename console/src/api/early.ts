import type { Route } from '@mokuroku/contract/route'
import { isExpired } from '#lib/token.ts'
import { localEntry } from './browserStorage.ts'
import { apiHost } from './host.ts'

/** How long an answer waits for whoever wants it, in milliseconds: it becomes out of date. */
const EARLY_ANSWER_TTL_MS = 60_000

const stored = localEntry('authToken').get()
const answers = new Map<string, Promise<Response>>()

/** Whether somebody may be signed in here. */
export const hasToken = stored !== undefined && !isExpired(stored)

/** Sends calls without input in the name of the stored session, before there is anybody to answer to. */
export function askEarly(routes: readonly Route[]): void {
  for (const { method, path } of routes) {
    const answer = fetch(apiHost + path, { method, headers: { authorization: `Bearer ${stored}` } })
    // Whoever takes it hears of a failure.
    answer.catch(() => undefined)
    answers.set(path, answer)
  }
  setTimeout(() => answers.clear(), EARLY_ANSWER_TTL_MS)
}

/** The answer to a call that was sent early with this token: for one taker, once, and not after a write. */
export function takeEarly(method: string, url: string, used: string | undefined): Promise<Response> | undefined {
  if (method !== 'GET') answers.clear()
  const answer = used === stored ? answers.get(url) : undefined
  answers.delete(url)
  return answer
}

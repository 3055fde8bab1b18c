import type { IncomingHttpHeaders } from 'node:http'
import { time } from '#lib/clock.ts'
import { Refusal } from '#lib/errors.ts'

/** Default backoff for a host that limits requests or is unreachable, in seconds. */
const DEFAULT_BACKOFF_SECONDS = 60
/** In milliseconds. */
const MAX_BACKOFF_MS = 10 * DEFAULT_BACKOFF_SECONDS * 1000

/** Until when each source is left alone, and why, by name and host. */
export const backoffs = new Map<string, { until: number; why: 'busy' | 'away' }>()

/** Throws while the host of a source is in backoff. */
export function assertAvailable(name: string, host: string): void {
  const rest = backoffs.get(`${name} ${host}`)
  const left = (rest?.until ?? 0) - time()
  // A backoff longer than the maximum was set before the clock was set back.
  if (!rest || left <= 0 || left > MAX_BACKOFF_MS) return
  if (rest.why === 'busy') busy(name, rest.until)
  throw new Refusal(502, 'outside.unreachable', `${name} cannot be reached.`)
}

/** Starts a backoff for an unreachable host, so that other requests do not wait for it as well. */
export const backOff = (name: string, host: string): void =>
  void backoffs.set(`${name} ${host}`, { until: time() + DEFAULT_BACKOFF_SECONDS * 1000, why: 'away' })

/** Ends the backoff of the named sources, if they were unreachable. A rate-limited source stays in backoff. */
export function retryNow(names: string[]): void {
  for (const [key, { why }] of backoffs)
    if (why === 'away' && names.some((name) => key.startsWith(`${name} `))) backoffs.delete(key)
}

/** Reads from a response when a source may be queried again; throws if it rejected this request (429). */
export function applyRateLimit(name: string, host: string, status: number, headers: IncomingHttpHeaders): void {
  const left = Number(headers['x-ratelimit-remaining'] ?? Number.NaN)
  if (status !== 429 && left !== 0) return
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000
  const after = Number(headers['retry-after'] ?? Number.NaN) * 1000
  const wait = Number.isFinite(after) ? after : Number.isFinite(reset) ? reset - time() : DEFAULT_BACKOFF_SECONDS * 1000
  const until = time() + Math.min(Math.max(wait, 1000), MAX_BACKOFF_MS)
  backoffs.set(`${name} ${host}`, { until, why: 'busy' })
  if (status === 429) busy(name, until)
}

function busy(name: string, until: number): never {
  const seconds = Math.ceil((until - time()) / 1000)
  throw new Refusal(429, 'outside.busy', `${name} is rate-limiting requests. Try again in ${seconds} seconds.`)
}

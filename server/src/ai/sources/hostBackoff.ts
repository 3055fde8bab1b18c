import type { IncomingHttpHeaders } from 'node:http'
import { time } from '#lib/clock.ts'
import { Refusal } from '#lib/errors.ts'

/** How long a host that has had enough, or is out of reach, is left alone where it does not say, in seconds. */
const DEFAULT_BACKOFF_SECONDS = 60
/** In milliseconds. */
const MAX_BACKOFF_MS = 10 * DEFAULT_BACKOFF_SECONDS * 1000

/** Until when sources are left alone, and why, by name and host. */
export const backoffs = new Map<string, { until: number; why: 'busy' | 'away' }>()

/** Throws while the host of a source is to be left alone. */
export function assertAvailable(name: string, host: string): void {
  const rest = backoffs.get(`${name} ${host}`)
  const left = (rest?.until ?? 0) - time()
  // One that would last longer was counted before the clock went back.
  if (!rest || left <= 0 || left > MAX_BACKOFF_MS) return
  if (rest.why === 'busy') busy(name, rest.until)
  throw new Refusal(502, 'outside.unreachable', `${name} cannot be reached.`)
}

/** The host of a source cannot be reached: others need not wait for it as well. */
export const backOff = (name: string, host: string): void =>
  void backoffs.set(`${name} ${host}`, { until: time() + DEFAULT_BACKOFF_SECONDS * 1000, why: 'away' })

/** Asks a source again at once that could not be reached. One that has had enough is still left alone. */
export function retryNow(names: string[]): void {
  for (const [key, { why }] of backoffs)
    if (why === 'away' && names.some((name) => key.startsWith(`${name} `))) backoffs.delete(key)
}

/** Takes from an answer how soon a source may be asked again; throws when this was once too often. */
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

import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from '#lib/errors.ts'

/** How long a host that has had enough is left alone where it does not say, in seconds. */
const REST = 60

/** Until when the sources that asked for it are left alone, by name and host. */
export const resting = new Map<string, number>()

/** Throws while the host of a source has asked to be left alone. */
export function pace(name: string, host: string): void {
  const until = resting.get(`${name} ${host}`) ?? 0
  if (until > Date.now()) busy(name, until)
}

/** Takes from an answer how soon a source may be asked again; throws when this was once too often. */
export function heed(name: string, host: string, status: number, headers: IncomingHttpHeaders): void {
  const left = Number(headers['x-ratelimit-remaining'] ?? Number.NaN)
  if (status !== 429 && left !== 0) return
  const reset = Number(headers['x-ratelimit-reset'] ?? Number.NaN) * 1000
  const after = Number(headers['retry-after'] ?? Number.NaN) * 1000
  const wait = Number.isFinite(after) ? after : Number.isFinite(reset) ? reset - Date.now() : REST * 1000
  const until = Date.now() + Math.min(Math.max(wait, 1000), 10 * REST * 1000)
  resting.set(`${name} ${host}`, until)
  if (status === 429) busy(name, until)
}

function busy(name: string, until: number): never {
  const seconds = Math.ceil((until - Date.now()) / 1000)
  throw new Refusal(429, 'outside.busy', `${name} takes no more questions for ${seconds} seconds.`)
}

// Calls that nobody waits for and that must reach the server all the same. Each one lies in local storage until the
// server has carried it out: it is sent again when the connection is back, after growing delays, after a reload, and by
// any other open tab.
import { type Input, urlOf } from '@mokuroku/contract/call'
import type { Route } from '@mokuroku/contract/route'
import { createStore } from '#lib/createStore.ts'
import { isExpired } from '#lib/token.ts'
import { apiHost } from './host.ts'
import { token } from './session.ts'
import { localEntry, storedKeys } from './browserStorage.ts'

const PREFIX = 'undelivered:'
const TIMEOUT_MS = 15_000
const RETRY_MS = { first: 2000, longest: 5 * 60_000 }

interface Delivery {
  method: string
  url: string
  /** Who calls: that session, whoever has signed in here since. */
  token: string
}

/** The addresses of the calls that were sent and that the server has not carried out yet. */
export const undelivered = createStore<readonly string[]>([])

let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends a call without a body in the name of the present session, until the server has carried it out. */
export function deliver<R extends Route>(route: R, input: Input<R>): void {
  const used = token.get()
  if (!used) return
  const url = urlOf(route, input)
  const delivery: Delivery = { method: route.method, url, token: used }
  // The end of a token, its signature, tells the sessions apart.
  localEntry(`${PREFIX}${url}:${used.slice(-16)}`).set(JSON.stringify(delivery))
  sendNow()
}

/** Takes up what an earlier visit left, and follows the connection and the other tabs. */
export function resumeDeliveries(): void {
  addEventListener('online', sendNow)
  addEventListener('storage', ({ key }) => {
    if (key === null || key.startsWith(PREFIX)) sendNow()
  })
  sendNow()
}

function sendNow(): void {
  failures = 0
  void sendAll()
}

async function sendAll(): Promise<void> {
  clearTimeout(timer)
  await Promise.all(storedKeys(PREFIX).map(send))
  const left = storedKeys(PREFIX).flatMap((key) => read(key) ?? [])
  undelivered.set(left.map(({ url }) => url))
  clearTimeout(timer)
  if (left.length === 0) return
  timer = setTimeout(() => void sendAll(), Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.longest))
}

/** With an expired token there is no session left to act in. */
async function send(key: string): Promise<void> {
  const delivery = read(key)
  if (!delivery || isExpired(delivery.token) || (await isCarriedOut(delivery))) localEntry(key).remove()
}

async function isCarriedOut({ method, url, token: used }: Delivery): Promise<boolean> {
  try {
    const { ok, status } = await fetch(apiHost + url, {
      method,
      headers: { authorization: `Bearer ${used}` },
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // The session is over, or what should be deleted is not there: nothing is left to be done.
    return ok || status === 401 || (status === 404 && method === 'DELETE')
  } catch {
    return false
  }
}

function read(key: string): Delivery | undefined {
  try {
    const value: unknown = JSON.parse(localEntry(key).get() ?? '')
    return isDelivery(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isDelivery(value: unknown): value is Delivery {
  const has = (name: string) => typeof (value as Record<string, unknown>)[name] === 'string'
  return typeof value === 'object' && value !== null && has('method') && has('url') && has('token')
}

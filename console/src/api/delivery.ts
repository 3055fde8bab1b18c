// Fire-and-forget calls that must still reach the server. Each is kept in local storage until the server has executed
// it, and is resent when the connection is back, with exponential backoff, after a reload, and by any other open tab.
import { type Input, urlOf } from '@mokuroku/contract/call'
import type { Route } from '@mokuroku/contract/route'
import { createStore } from '#lib/createStore.ts'
import { apiHost } from './host.ts'
import { token } from './session.ts'
import { localEntry, storedKeys } from './browserStorage.ts'

const PREFIX = 'undelivered:'
const TIMEOUT_MS = 15_000
const RETRY_MS = { first: 2000, max: 5 * 60_000 }

interface Delivery {
  method: string
  url: string
  /** The token of the session that made the call, even if another user has signed in since. */
  token: string
}

/** The URLs of calls that the server has not confirmed yet. */
export const undelivered = createStore<readonly string[]>([])

/** Calls that the storage did not take, full or denied: kept until the page is closed. */
const held = new Map<string, string>()

let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Sends a call without a body, authorized by the current session, and repeats it until the server confirms it. */
export function deliver<R extends Route>(route: R, input: Input<R>): void {
  const used = token.get()
  if (!used) return
  const url = urlOf(route, input)
  const delivery: Delivery = { method: route.method, url, token: used }
  const text = JSON.stringify(delivery)
  // The end of a token is its signature, which differs between sessions.
  const entry = localEntry(`${PREFIX}${url}:${used.slice(-16)}`)
  entry.set(text)
  if (entry.get() !== text) held.set(entry.key, text)
  sendNow()
}

/**
 * Resumes undelivered calls of earlier visits, and resends when the browser is back online. Another tab sends what it
 * adds itself; this one sends it only if it is still there after a while.
 */
export function resumeDeliveries(): void {
  addEventListener('online', sendNow)
  addEventListener('storage', ({ key }) => {
    if (key !== null && !key.startsWith(PREFIX)) return
    failures = 0
    sendLater()
  })
  sendNow()
}

function sendNow(): void {
  failures = 0
  void sendAll()
}

function sendLater(): void {
  clearTimeout(timer)
  timer = setTimeout(() => void sendAll(), Math.min(RETRY_MS.first * 2 ** failures++, RETRY_MS.max))
}

async function sendAll(): Promise<void> {
  clearTimeout(timer)
  await Promise.all(waiting().map(send))
  const left = waiting().flatMap((key) => read(key) ?? [])
  undelivered.set(left.map(({ url }) => url))
  if (left.length > 0) sendLater()
}

const waiting = () => [...storedKeys(PREFIX), ...held.keys()]

/**
 * Sends a call and removes it once delivered. The server decides whether its token has expired, since the clock here may
 * be wrong.
 */
async function send(key: string): Promise<void> {
  const delivery = read(key)
  if (delivery && !(await isCarriedOut(delivery))) return
  localEntry(key).remove()
  held.delete(key)
}

async function isCarriedOut({ method, url, token: used }: Delivery): Promise<boolean> {
  try {
    const response = await fetch(apiHost + url, {
      method,
      headers: { authorization: `Bearer ${used}` },
      keepalive: true,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    // A response that is not JSON comes from a proxy or the sign-in page of a network: the server has not executed it.
    await response.json()
    const { ok, status } = response
    // The session is over, or the entity to delete is already gone: nothing is left to do.
    return ok || status === 401 || (status === 404 && method === 'DELETE')
  } catch {
    return false
  }
}

function read(key: string): Delivery | undefined {
  try {
    const value: unknown = JSON.parse(held.get(key) ?? localEntry(key).get() ?? '')
    return isDelivery(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isDelivery(value: unknown): value is Delivery {
  const has = (name: string) => typeof (value as Record<string, unknown>)[name] === 'string'
  return typeof value === 'object' && value !== null && has('method') && has('url') && has('token')
}

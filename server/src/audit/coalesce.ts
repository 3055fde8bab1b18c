import type { AuditAction } from '@mokuroku/contract/audit'
import { transaction } from '#database/db.ts'
import { later } from '#lib/later.ts'
import { append, type AuditEvent } from './append.ts'

// What anybody can bring about as often as they like must neither fill the disk nor keep others from the chain. Of the
// same by one person, or from one address, a number is kept one by one in a minute, and the rest as one entry that
// says how many they were. Of all visitors together, so many; who has many addresses gains nothing by it.

const WINDOW_MS = 60_000
/** So many of each in a minute, by one person or from one address. */
const LIMIT_PER_ACTION: Partial<Record<AuditAction, number>> = { 'settings.read': 1, 'ai.called': 60 }
const DEFAULT_LIMIT = 10
const ANONYMOUS_LIMIT = 60
/** So many are written at a time. */
const BATCH_SIZE = 200
interface Window {
  seen: number
  coalesced: number
  last?: AuditEvent
}

let windows = new Map<string, Window>()
let flushTimer: NodeJS.Timeout | undefined

/** What an entry is about, where that is still to be looked up: it is only for what is kept one by one. */
type FindTarget = () => Promise<AuditEvent['about']>

/** Keeps something after the answer to the call; where it cannot be kept, that is told in the server's own log. */
export function recordLater(event: AuditEvent, about?: FindTarget): void {
  const { action, actor, client } = event
  const all = actor ? undefined : windowOf(`${action} of visitors`)
  if (all && all.seen >= ANONYMOUS_LIMIT) return coalesce(all, { ...event, client: undefined, about: undefined })
  const own = windowOf(`${action} ${actor?._id ?? client?.address}`)
  if (own.seen >= (LIMIT_PER_ACTION[action] ?? DEFAULT_LIMIT)) return coalesce(own, event)
  for (const window of [own, all]) if (window) window.seen += 1
  write({ event, about })
}

/** Keeps what is folded so far: once a minute, and at the end. */
export function flushWindows(): void {
  clearTimeout(flushTimer)
  flushTimer = undefined
  const closed = [...windows.values()]
  windows = new Map()
  for (const { coalesced: folded, last } of closed)
    if (last) write({ event: { ...last, details: { ...last.details, count: folded } } })
}

function windowOf(key: string): Window {
  flushTimer ??= setTimeout(flushWindows, WINDOW_MS).unref()
  const known = windows.get(key)
  if (known) return known
  const window: Window = { seen: 0, coalesced: 0 }
  windows.set(key, window)
  return window
}

/** The last of them stands for all, with the sums of what they cost. */
function coalesce(window: Window, event: AuditEvent): void {
  const before = window.last?.details ?? {}
  const details = Object.entries(event.details ?? {}).map(([name, value]) => {
    const sum = before[name]
    return [name, typeof value === 'number' && typeof sum === 'number' ? value + sum : value] as const
  })
  window.coalesced += 1
  window.last = { ...event, details: Object.fromEntries(details) }
}

interface Pending {
  event: AuditEvent
  about?: FindTarget | undefined
}

const pending: Pending[] = []
let isWriting = false

/** One transaction at a time for all of them: they wait for each other here, and hold no connection meanwhile. */
function write(one: Pending): void {
  pending.push(one)
  if (isWriting) return
  isWriting = true
  later('Keeping the audit log', async () => {
    try {
      while (pending.length > 0) await keep(pending.splice(0, BATCH_SIZE))
    } finally {
      isWriting = false
    }
  })
}

async function keep(some: Pending[]): Promise<void> {
  try {
    const events: AuditEvent[] = []
    for (const { event, about } of some) events.push(about ? { ...event, about: await about() } : event)
    await transaction((tx) => append(tx, events))
  } catch (cause) {
    // With what is lost, so that it is at least somewhere.
    throw Object.assign(new Error('Some entries could not be kept', { cause }), {
      lost: some.map(({ event }) => event),
    })
  }
}

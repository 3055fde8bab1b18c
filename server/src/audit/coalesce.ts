import type { AuditAction } from '@mokuroku/contract/audit'
import { transaction } from '#database/db.ts'
import { runInBackground, logFailure } from '#lib/background.ts'
import { append, type AuditEvent } from './append.ts'

// Events that anybody can trigger at will must neither fill the disk nor block others from the chain. So per action,
// and per user or address, only a limited number of entries a minute is written one by one; the rest is coalesced into
// one entry with their count. Entries of all visitors together are limited as well, so that using many addresses gains
// nothing.

const WINDOW_MS = 60_000
/** Maximum number of single entries a minute, per user or address. */
const LIMIT_PER_ACTION: Partial<Record<AuditAction, number>> = { 'settings.read': 1, 'ai.called': 60 }
const DEFAULT_LIMIT = 10
const ANONYMOUS_LIMIT = 60
/** Number of entries per transaction. */
const BATCH_SIZE = 200
interface Window {
  seen: number
  coalesced: number
  last?: AuditEvent
}

let windows = new Map<string, Window>()
let flushTimer: NodeJS.Timeout | undefined

/**
 * Looks up what an entry is about, if that is not known yet. Called for single entries only, not for coalesced ones.
 */
type FindTarget = () => Promise<AuditEvent['about']>

/** Records an event after the response. If that fails, it is logged in the server's own log. */
export function recordLater(event: AuditEvent, about?: FindTarget): void {
  const { action, actor, client } = event
  const all = actor ? undefined : windowOf(`${action} of visitors`)
  if (all && all.seen >= ANONYMOUS_LIMIT) return coalesce(all, { ...event, client: undefined, about: undefined })
  const own = windowOf(`${action} ${actor?._id ?? client?.address}`)
  if (own.seen >= (LIMIT_PER_ACTION[action] ?? DEFAULT_LIMIT)) return coalesce(own, event)
  for (const window of [own, all]) if (window) window.seen += 1
  write({ event, about })
}

/** Writes the coalesced entries: once a minute, and when the server stops. */
export function flushWindows(): void {
  clearTimeout(flushTimer)
  flushTimer = undefined
  const closed = [...windows.values()]
  windows = new Map()
  for (const { coalesced: count, last } of closed)
    if (last) write({ event: { ...last, details: { ...last.details, count } } })
}

function windowOf(key: string): Window {
  flushTimer ??= setTimeout(flushWindows, WINDOW_MS).unref()
  const known = windows.get(key)
  if (known) return known
  const window: Window = { seen: 0, coalesced: 0 }
  windows.set(key, window)
  return window
}

/** The last event stands for all, with the sums of their numeric details, such as cost. */
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

const TASK = 'writing the audit log'
const pending: Pending[] = []
let isWriting = false

/**
 * Writes pending entries in one transaction at a time: they queue here rather than each waiting on a connection. If one
 * fails, the next ones are still tried.
 */
function write(one: Pending): void {
  pending.push(one)
  if (isWriting) return
  isWriting = true
  runInBackground(TASK, async () => {
    while (pending.length > 0) await keep(pending.splice(0, BATCH_SIZE)).catch(logFailure(TASK))
    isWriting = false
  })
}

async function keep(waiting: Pending[]): Promise<void> {
  try {
    const events: AuditEvent[] = []
    for (const { event, about } of waiting) events.push(about ? { ...event, about: await about() } : event)
    await transaction((tx) => append(tx, events))
  } catch (cause) {
    // Attach the lost entries, so that they are at least in the server's log.
    throw Object.assign(new Error('Some audit entries could not be written', { cause }), {
      lost: waiting.map(({ event }) => event),
    })
  }
}

// How the servers of one PostgreSQL database notify each other that an inbox, the job queue or an entity has changed.
// LISTEN needs a dedicated connection. It receives nothing behind a pooler in transaction mode, or while the connection
// is down. So each server sends itself a probe now and then. While no probe comes back, `isListening` returns false,
// and whoever waits for changes polls as often as without notifications (docs/decisions/018).
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import * as z from 'zod/mini'
import { gauge } from '#lib/metrics.ts'
import { type Primary, primaryOf } from './hosts.ts'
import { bookkeeping } from './state.ts'

/**
 * The detail of an announcement. `inbox`: the id of the user; `jobs`: none, the queue as a whole; `entity`: the id of
 * an entity that was changed, or opened or closed in an editor.
 */
export type Topic = 'inbox' | 'jobs' | 'entity'

const CHANNEL = 'mokuroku'
/** Announcements made within this many milliseconds are sent in one statement. */
const COLLECT_MS = 50
/** The maximum number of entries in one message: a NOTIFY payload is limited to 8,000 bytes. */
const BATCH_SIZE = 150
const PROBE_INTERVAL_MS = 20_000
const PROBE_TIMEOUT_MS = 3000
const CONNECT_TIMEOUT_MS = 10_000
/** Backoff before reconnecting, in milliseconds; the last value repeats. */
const RECONNECT_MS = [500, 2000, 10_000, 30_000]

/** Servers of a newer version may announce further topics. */
const Message = z.object({
  from: z.string(),
  probe: z.optional(z.boolean()),
  entries: z.optional(z.array(z.tuple([z.string(), z.string()]))),
})
type Message = z.output<typeof Message>
type Listener = (detail: string) => void

const listeners = new Map<string, Set<Listener>>(
  (['inbox', 'jobs', 'entity'] satisfies Topic[]).map((topic) => [topic, new Set()]),
)
// Not `newId()`, whose later ids would follow the clock of this machine as it was before the start.
const own = randomUUID()
let collected = new Map<string, [Topic, string]>()
let collecting: NodeJS.Timeout | undefined
let started = false
let listening = false

/** Whether announcements of other servers arrive here. */
export const isListening = (): boolean => listening

/** Calls `listener` when another server announces the topic, and with '' when announcements may have been missed. */
export const onAnnounced = (topic: Topic, listener: Listener): void => void listeners.get(topic)?.add(listener)

/** Notifies the other servers, within `COLLECT_MS`. A lost announcement is found by polling. */
export function announce(topic: Topic, detail = ''): void {
  if (!started) return
  collected.set(`${topic} ${detail}`, [topic, detail])
  collecting ??= setTimeout(() => void send(), COLLECT_MS).unref()
}

async function send(): Promise<void> {
  const entries = [...collected.values()]
  collected = new Map()
  collecting = undefined
  for (let at = 0; at < entries.length; at += BATCH_SIZE)
    await notify({ from: own, entries: entries.slice(at, at + BATCH_SIZE) }).catch(() => undefined)
}

const notify = (message: Message) =>
  bookkeeping((tx) => sql`SELECT pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(tx))

/**
 * Listens on one connection to the database at `url`, and reconnects whenever it is lost. Returns a function that stops
 * it.
 */
export function startListening(url: string): () => Promise<void> {
  started = true
  const stopping = new AbortController()
  const { signal } = stopping
  const primary = primaryOf(url)
  const loop = async (): Promise<void> => {
    for (let tries = 0; !signal.aborted; tries += 1) {
      const heard = await listenOnce(primary, signal).catch(() => false)
      listening = false
      primary.lost()
      if (heard) tries = 0
      await sleep(RECONNECT_MS[tries] ?? RECONNECT_MS.at(-1), undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  const looping = loop()
  return () => {
    started = false
    stopping.abort()
    return looping
  }
}

/** Listens until the connection is lost or no probe comes back. Returns whether any probe did. */
async function listenOnce(primary: Primary, signal: AbortSignal): Promise<boolean> {
  const client = new pg.Client({
    connectionString: await primary.url(),
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'mokuroku listener',
  })
  const lost = new AbortController()
  const over = AbortSignal.any([signal, lost.signal])
  let heardAt = -Infinity
  let answer: (() => void) | undefined
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', ({ payload = '' }) => {
    const message = parsed(payload)
    if (!message) return
    if (message.from !== own) return hear(message)
    if (!message.probe) return
    heardAt = performance.now()
    answer?.()
  })
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  over.addEventListener('abort', () => reject(over.reason), { once: true })
  /** Behind a pooler whose database is away, answers do not come, however long one waits. */
  const unlessAborted = (work: Promise<unknown>) => Promise.race([work, aborted])
  try {
    over.throwIfAborted()
    await unlessAborted(client.connect())
    await unlessAborted(client.query(`LISTEN ${CHANNEL}`))
    while (!over.aborted) {
      const asked = performance.now()
      const back = new Promise<void>((resolve) => (answer = resolve))
      await unlessAborted(notify({ from: own, probe: true }))
      await Promise.race([back, sleep(PROBE_TIMEOUT_MS, undefined, { signal: over, ref: false })])
      if (heardAt < asked) break
      // Anything announced while the connection was down was missed.
      if (!listening) hear({ from: '', entries: [...listeners.keys()].map((topic) => [topic, '']) })
      listening = true
      await sleep(PROBE_INTERVAL_MS, undefined, { signal: over, ref: false })
    }
  } catch (error) {
    if (heardAt === -Infinity) throw error
  } finally {
    void client.end().catch(() => undefined)
  }
  return heardAt !== -Infinity
}

function hear({ entries = [] }: Message): void {
  for (const [topic, detail] of entries) for (const listener of listeners.get(topic) ?? []) listener(detail)
}

/** Undefined if it is no message of a server: anyone with access to the database can send on the channel. */
function parsed(payload: string): Message | undefined {
  try {
    return Message.parse(JSON.parse(payload))
  } catch {
    return undefined
  }
}

gauge('announcements_listening', 'Whether this server is notified by others (LISTEN): 1, or 0 while it polls', [], () =>
  started ? [{ value: Number(listening) }] : [],
)

// Whether the index is whole, as the database says: for every process that searches it.
import type { IndexState } from '@mokuroku/contract/search'
import { CATALOGUE, kinds } from '@mokuroku/contract/kinds'
import { db } from '#database/db.ts'
import { countersOf, totalCounter } from '#ledger/counters.ts'

/** Raised when `fold`, `grams` or `rowsOf` change: what was indexed before is then indexed again, once, after the start. */
export const VERSION = 4
/** The job that rebuilds the index: there is one at a time. */
export const REBUILD = 'search.rebuild'
/** For how long what is known of the index is believed, in milliseconds. */
const BELIEVED_MS = 1000

const NOTHING: { status: IndexState['status']; until: number } = { status: 'ready', until: 0 }
let known = NOTHING

/** 'indexing' where the index is known to lack something: while it is rebuilt, and until a rebuild has come to its end. */
export async function indexStatus(): Promise<IndexState['status']> {
  const before = known
  if (performance.now() <= before.until) return before.status
  const status = await readStatus()
  // What was read while somebody forgot it may be of before.
  if (known === before) known = { status, until: performance.now() + BELIEVED_MS }
  return status
}

/** Has the status read again by the next search. */
export const forgetStatus = (): void => void (known = { ...NOTHING })

/** A new database has no version, and nothing that it lacks. */
async function readStatus(): Promise<IndexState['status']> {
  const kept = await db.selectFrom('counters').select('value').where('name', '=', 'searchVersion').executeTakeFirst()
  return !kept || kept.value === VERSION ? 'ready' : 'indexing'
}

/** How far a rebuild is, and what can be found. */
export async function indexState(): Promise<IndexState> {
  const [kept, status, job] = await Promise.all([
    countersOf(db, [...CATALOGUE.map(totalCounter), 'searchRebuiltAt']),
    readStatus(),
    db.selectFrom('jobs').select(['state', 'done', 'total']).where('_id', '=', REBUILD).executeTakeFirst(),
  ])
  const at = kept.searchRebuiltAt ?? 0
  const counts = CATALOGUE.map((kind) => [kinds[kind].plural, kept[totalCounter(kind)] ?? 0])
  const isRunning = job?.state === 'queued' || job?.state === 'running'
  return {
    status: isRunning ? 'indexing' : status,
    done: job?.done ?? 0,
    total: job?.total ?? 0,
    isRunning,
    entries: Object.fromEntries(counts) as IndexState['entries'],
    rebuiltAt: at > 0 ? new Date(at).toISOString() : null,
  }
}

// Whether the index is complete, according to the database, for every process that searches it.
import type { IndexState } from '@mokuroku/contract/search'
import { CATALOGUE, kinds } from '@mokuroku/contract/kinds'
import { db } from '#database/db.ts'
import { countersOf, totalCounter } from '#ledger/counters.ts'
import { isUnfinishedState } from '#jobs/work.ts'

/**
 * Increased when `fold`, `grams` or `rowsOf` change for titles that exist: everything is then indexed again, once, after
 * the next start.
 */
export const VERSION = 8
/** The job that rebuilds the index; there is only one at a time. */
export const REBUILD = 'search.rebuild'
/** The kind of job that adds the readings which a write could not wait for. */
export const READINGS = 'search.readings'
/** How long the status is cached, in milliseconds. */
const CACHE_TTL_MS = 1000

const NOTHING: { status: IndexState['status']; until: number } = { status: 'ready', until: 0 }
let known = NOTHING

/** 'indexing' if the index may be incomplete: from the start of a rebuild until one has finished. */
export async function indexStatus(): Promise<IndexState['status']> {
  const before = known
  if (performance.now() <= before.until) return before.status
  const status = await readStatus()
  // If `forgetStatus` was called during the read, the result may be stale, so it is not cached.
  if (known === before) known = { status, until: performance.now() + CACHE_TTL_MS }
  return status
}

/** Makes the next search read the status again. */
export const forgetStatus = (): void => void (known = { ...NOTHING })

/** A new database has no version, and a complete index. */
async function readStatus(): Promise<IndexState['status']> {
  const kept = await db.selectFrom('counters').select('value').where('name', '=', 'searchVersion').executeTakeFirst()
  return !kept || kept.value === VERSION ? 'ready' : 'indexing'
}

/** The progress of a rebuild, and what can be found. */
export async function indexState(): Promise<IndexState> {
  const [kept, status, job] = await Promise.all([
    countersOf(db, [...CATALOGUE.map(totalCounter), 'searchRebuiltAt']),
    readStatus(),
    db.selectFrom('jobs').select(['state', 'done', 'total']).where('_id', '=', REBUILD).executeTakeFirst(),
  ])
  const at = kept.searchRebuiltAt ?? 0
  const counts = CATALOGUE.map((kind) => [kinds[kind].plural, kept[totalCounter(kind)] ?? 0])
  const isRunning = isUnfinishedState(job?.state)
  return {
    status: isRunning ? 'indexing' : status,
    done: job?.done ?? 0,
    total: job?.total ?? 0,
    isRunning,
    entries: Object.fromEntries(counts) as IndexState['entries'],
    rebuiltAt: at > 0 ? new Date(at).toISOString() : null,
  }
}

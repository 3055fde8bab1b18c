import { reasonText } from '@mokuroku/contract/reasons'
import type { Actor } from '#access/permissions.ts'
import { actorNow } from '#access/session.ts'
import { afterEnd, db, type Transaction } from '#database/db.ts'
import { Refusal } from '#lib/errors.ts'
import { now, secondsToMidnight } from '#lib/clock.ts'
import { runInBackground } from '#lib/background.ts'

/**
 * How much a user may write per day (UTC), in units: a revision counts one unit for each 16 KiB of its snapshot,
 * rounded up. So does what is written outside the ledger and leaves a row behind, or a longer one: comments, views,
 * decisions about findings, batches with the rows of their results, imports and corrections of them; an AI run counts
 * one. There is no limit for moderators, administrators and the operator's commands.
 */
export const MAX_UNITS_PER_DAY = 50_000
const UNIT_BYTES = 16 * 1024
/** How long a count may be in memory only, in milliseconds. */
const FLUSH_MS = 5000

interface Count {
  day: string
  /** Across all processes, as far as this one knows. */
  units: number
  /** The part that is not yet saved in the database. */
  unsaved: number
  /** The units of transactions that have not ended; not among `units`, since they may be rolled back, and retried. */
  pending: number
}

const counts = new Map<string, Count>()
const pendingOf = new WeakMap<Transaction, { count: Count; units: number }>()
let timer: NodeJS.Timeout | undefined

/**
 * Counts a revision, or another `document`, that is about to be written, with `moreBytes` of rows that belong to it.
 * Throws 429 if it exceeds today's limit. Counts are kept in memory and saved every few seconds, so that saves do not
 * wait for the lock of a shared row; a process learns of the counts of others with that delay. Near the limit, a write is
 * also refused because of concurrent ones that are later rolled back.
 */
export async function countWrite(tx: Transaction, actor: Actor, document: object, moreBytes = 0): Promise<void> {
  const { _id: userId, session, background } = actor
  if (session === undefined && !background) return
  // A background actor has only a name until `actorNow` loads the account.
  if ((await actorNow(tx, actor)).role !== 'user') return
  const pending = pendingOf.get(tx) ?? startPending(tx, await countOf(tx, userId))
  const { count } = pending
  const units = Math.ceil((Buffer.byteLength(JSON.stringify(document)) + moreBytes) / UNIT_BYTES)
  if (count.units + count.pending + units > MAX_UNITS_PER_DAY) {
    const message = reasonText('writeLimit')
    const retryAfter = secondsToMidnight()
    throw new Refusal(429, 'writeLimit', message, undefined, { retryAfter })
  }
  count.pending += units
  pending.units += units
}

/** A transaction writes for one user only, and counts for the day on which it began to. */
function startPending(tx: Transaction, count: Count): { count: Count; units: number } {
  const pending = { count, units: 0 }
  pendingOf.set(tx, pending)
  afterEnd(tx, (committed) => {
    count.pending -= pending.units
    if (!committed) return
    count.units += pending.units
    count.unsaved += pending.units
    timer ??= setTimeout(() => runInBackground('saving write counts', saveWriteCounts), FLUSH_MS).unref()
  })
  return pending
}

/** Saves the counts to the database: every few seconds, and when the server stops. */
export async function saveWriteCounts(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const today = dayOf(now())
  for (const [userId, count] of counts) {
    await save(userId, count)
    // While it was saved, the count of the next day may have taken its place.
    if (count.day !== today && counts.get(userId) === count) counts.delete(userId)
  }
}

async function save(userId: string, count: Count): Promise<void> {
  const { day, unsaved } = count
  if (unsaved === 0) return
  count.unsaved = 0
  try {
    const saved = await db
      .insertInto('writeCounts')
      .values({ userId, day, units: unsaved })
      .onConflict((conflict) =>
        conflict
          .columns(['userId', 'day'])
          .doUpdateSet((column) => ({ units: column('writeCounts.units', '+', unsaved) })),
      )
      .returning('units')
      .executeTakeFirstOrThrow()
    count.units = saved.units + count.unsaved
    // The first count of a day also deletes those of earlier days.
    if (saved.units === unsaved)
      await db.deleteFrom('writeCounts').where('userId', '=', userId).where('day', '<', day).execute()
  } catch (error) {
    count.unsaved += unsaved
    throw error
  }
}

/** A user's count of today; read from the database if it is not in memory. */
async function countOf(tx: Transaction, userId: string): Promise<Count> {
  const day = dayOf(now())
  if (counts.get(userId)?.day !== day) {
    const saved = await tx
      .selectFrom('writeCounts')
      .select('units')
      .where('userId', '=', userId)
      .where('day', '=', day)
      .executeTakeFirst()
    // A concurrent save of the same user may have read it meanwhile.
    if (counts.get(userId)?.day !== day) counts.set(userId, { day, units: saved?.units ?? 0, unsaved: 0, pending: 0 })
  }
  return counts.get(userId) ?? { day, units: 0, unsaved: 0, pending: 0 }
}

const dayOf = (moment: string): string => moment.slice(0, 10)

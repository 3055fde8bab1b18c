import { reasonText } from '@mokuroku/contract/reasons'
import type { Actor } from '#access/permissions.ts'
import { actorNow } from '#access/session.ts'
import { db, type Transaction } from '#database/db.ts'
import { Refusal } from '#lib/errors.ts'
import { now, secondsToMidnight } from '#lib/clock.ts'
import { later } from '#lib/later.ts'

/**
 * What a user may write in a day (UTC), in units: a revision counts one for each 16 kB, or part of it, that it keeps.
 * Moderators and administrators may write any amount, and so may the commands of the operator.
 */
export const MAX_UNITS_PER_DAY = 50_000
const UNIT_BYTES = 16 * 1024
/** How long a count may be in memory alone, in milliseconds. */
const FLUSH_MS = 5000

interface Count {
  day: string
  /** Of all processes, as far as this one knows. */
  units: number
  /** What of them the database has not been told. */
  unsaved: number
}

const counts = new Map<string, Count>()
let timer: NodeJS.Timeout | undefined

/**
 * Counts a revision that is about to be written, and throws 429 when it is too much for today. Counted in memory, so
 * that no save waits for a row that the next one needs too; the database is told every few seconds. Of several
 * processes each knows of the others' that late.
 */
export async function countWrite(tx: Transaction, actor: Actor, snapshot: object): Promise<void> {
  const { _id: userId, session, background } = actor
  if (session === undefined && !background) return
  // Who acts in the background is known by name alone until then.
  if ((await actorNow(tx, actor)).role !== 'user') return
  const count = await countOf(tx, userId)
  const units = Math.ceil(Buffer.byteLength(JSON.stringify(snapshot)) / UNIT_BYTES)
  if (count.units + units > MAX_UNITS_PER_DAY) {
    const message = reasonText('writeLimit')
    const retryAfter = secondsToMidnight()
    throw new Refusal(429, 'writeLimit', message, undefined, { retryAfter })
  }
  count.units += units
  count.unsaved += units
  timer ??= setTimeout(() => later('counting what users write', saveWriteCounts), FLUSH_MS).unref()
}

/** Tells the database what has been counted: every few seconds, and when the server stops. */
export async function saveWriteCounts(): Promise<void> {
  clearTimeout(timer)
  timer = undefined
  const today = dayOf(now())
  for (const [userId, count] of counts) {
    await save(userId, count)
    if (count.day !== today) counts.delete(userId)
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
    // The first of a day: other days are not asked about any more.
    if (saved.units === unsaved)
      await db.deleteFrom('writeCounts').where('userId', '=', userId).where('day', '<', day).execute()
  } catch (error) {
    count.unsaved += unsaved
    throw error
  }
}

/** The count of a user today; read where it is not known. */
async function countOf(tx: Transaction, userId: string): Promise<Count> {
  const day = dayOf(now())
  if (counts.get(userId)?.day !== day) {
    const saved = await tx
      .selectFrom('writeCounts')
      .select('units')
      .where('userId', '=', userId)
      .where('day', '=', day)
      .executeTakeFirst()
    // Another save of the same user may have read it meanwhile.
    if (counts.get(userId)?.day !== day) counts.set(userId, { day, units: saved?.units ?? 0, unsaved: 0 })
  }
  return counts.get(userId) ?? { day, units: 0, unsaved: 0 }
}

const dayOf = (moment: string): string => moment.slice(0, 10)

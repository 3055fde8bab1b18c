import type { Transaction } from '#database/db.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'
import { endSessions } from './endSessions.ts'

/** How many sessions a user may have open. When one more starts, the least recently used one ends. */
const MAX_OPEN_SESSIONS = 50
/** Ended sessions are kept to recognize unfamiliar sign-ins: for so many days, and at most so many rows per user. */
const KEEP_ENDED_DAYS = 30
const MAX_SESSIONS = 1000
/** Maximum number of rows deleted at one sign-in. */
const MAX_DELETED = 500

/** Ends a user's surplus sessions after a new one has started, and deletes rows of sessions that ended long ago. */
export async function limitSessions(tx: Transaction, userId: string, started: string): Promise<void> {
  const at = now()
  const rows = await tx
    .selectFrom('sessions')
    .select(['_id', 'lastSeen', 'expiresAt', 'endedAt', 'address', 'userAgent'])
    .where('userId', '=', userId)
    .orderBy('createdAt', 'desc')
    .orderBy('_id', 'desc')
    .execute()
  const isOpen = (row: (typeof rows)[number]): boolean => row.endedAt === null && row.expiresAt > at
  const open = rows.filter(isOpen).toSorted((one, two) => two.lastSeen.localeCompare(one.lastSeen))
  const surplus = open.filter(({ _id }) => _id !== started).slice(MAX_OPEN_SESSIONS - 1)
  if (surplus.length > 0) await endSessions(tx, { ids: idsOf(surplus) })
  const old = momentIn(-KEEP_ENDED_DAYS * DAY_MS)
  const seenPlaces = new Set<string>()
  const deletable = rows.filter((row, index) => {
    // The last session from each address and browser is kept, so that a sign-in from there is not unfamiliar.
    const place = `${row.address} ${row.userAgent}`
    const isLast = !seenPlaces.has(place)
    seenPlaces.add(place)
    if (isOpen(row)) return false
    return index >= MAX_SESSIONS || (!isLast && (row.endedAt ?? row.expiresAt) < old)
  })
  // The next sign-ins delete the rest, so that this one does not wait for it.
  const some = idsOf(deletable.slice(0, MAX_DELETED))
  if (some.length > 0) await tx.deleteFrom('sessions').where('_id', 'in', some).execute()
}

const idsOf = (rows: { _id: string }[]): string[] => rows.map(({ _id }) => _id)

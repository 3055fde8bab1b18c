import type { Transaction } from '#database/db.ts'
import { momentIn, now } from '#lib/clock.ts'
import { endSessions } from './endSessions.ts'

/** So many sessions of one user are open at most: when a new one begins, the one that was longest not in use ends. */
const MAX_OPEN_SESSIONS = 50
/** Sessions that are over are kept so long, in days, and at most so many of one user: they tell strange sign-ins. */
const KEEP_ENDED_DAYS = 30
const MAX_SESSIONS = 1000
/** So many are deleted with one sign-in. */
const MAX_DELETED = 500

/** Ends sessions of a user who has too many with the one just begun, and deletes those that have long been over. */
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
  const old = momentIn(-KEEP_ENDED_DAYS * 86_400_000)
  const seenPlaces = new Set<string>()
  const gone = rows.filter((row, index) => {
    // The last session from each place is kept: a sign-in from there is not strange.
    const place = `${row.address} ${row.userAgent}`
    const isLast = !seenPlaces.has(place)
    seenPlaces.add(place)
    if (isOpen(row)) return false
    return index >= MAX_SESSIONS || (!isLast && (row.endedAt ?? row.expiresAt) < old)
  })
  // The rest goes with the next sign-ins: this one is not to wait for it.
  const some = idsOf(gone.slice(0, MAX_DELETED))
  if (some.length > 0) await tx.deleteFrom('sessions').where('_id', 'in', some).execute()
}

const idsOf = (rows: { _id: string }[]): string[] => rows.map(({ _id }) => _id)

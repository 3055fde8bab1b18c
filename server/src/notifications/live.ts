import type { NotificationEvent } from '@mokuroku/contract/notifications'
import { notifications, type Position } from '#store/notifications'
import { isListening } from '#database/announcements.ts'
import { notifyHere, subscribedUsers, subscribe } from './subscribers.ts'

// Other processes that serve the same database write notifications too, and announce it. Where that is not heard, as
// behind a pooler, their numbers are looked up every second, for all listeners together: one short query. While it is
// heard, that is done too, but seldom. (docs/decisions/006, 018)
const POLL_INTERVAL_MS = 1000
/** While other processes announce what they write: for what an announcement that was lost would have said. */
const LISTENING_POLL_INTERVAL_MS = 15_000
const pollInterval = () => (isListening() ? LISTENING_POLL_INTERVAL_MS : POLL_INTERVAL_MS)
const PAGE_SIZE = 50

/** Everything that a user is told from now on, or from after a number on, as it is committed. Ends with the signal. */
export async function* live(
  userId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<NotificationEvent> {
  const bell = createSignal(userId, signal)
  try {
    let after = startAt(lastEventId, await positionOf(userId))
    let shown: number | undefined
    while (!signal.aborted) {
      bell.hush()
      const before = after
      for (let page = PAGE_SIZE; page === PAGE_SIZE;) {
        const next = await notifications.after(userId, after, PAGE_SIZE)
        for (const { seq, ...data } of next) {
          after = seq
          yield { event: 'notification', id: String(seq), data }
        }
        page = next.length
      }
      const unread = await notifications.unread(userId)
      if (after > before || unread !== shown) yield { event: 'unread', id: String(after), data: { unread } }
      shown = unread
      await bell.rung()
    }
  } finally {
    bell.close()
  }
}

/** A number that was never given cannot be gone on from: as when an older database was put back. */
function startAt(lastEventId: string | undefined, { seq }: Position): number {
  const asked = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : seq
  return Math.min(asked, seq)
}

const positionOf = async (userId: string): Promise<Position> =>
  (await notifications.positions([userId])).get(userId) ?? { seq: 0, marks: 0 }

/** Rings when something changed for the user, also when that was before anybody waited for it. */
function createSignal(userId: string, signal: AbortSignal) {
  let rings = false
  let answer: (() => void) | undefined
  const ring = (): void => {
    rings = true
    answer?.()
  }
  const forget = subscribe(userId, ring)
  signal.addEventListener('abort', ring)
  startPolling()
  return {
    hush: (): void => void (rings = false),
    rung: (): Promise<void> =>
      new Promise((resolve) => {
        answer = resolve
        if (rings) resolve()
      }),
    close: (): void => {
      forget()
      signal.removeEventListener('abort', ring)
    },
  }
}

let polling: NodeJS.Timeout | undefined
const known = new Map<string, Position>()

function startPolling(): void {
  polling ??= setTimeout(() => void poll(), pollInterval()).unref()
}

async function poll(): Promise<void> {
  const users = subscribedUsers()
  for (const userId of known.keys()) if (!users.includes(userId)) known.delete(userId)
  if (users.length === 0) {
    clearTimeout(polling)
    polling = undefined
    return
  }
  try {
    for (const [userId, position] of await notifications.positions(users)) {
      const before = known.get(userId)
      known.set(userId, position)
      if (!before || before.seq !== position.seq || before.marks !== position.marks) notifyHere(userId)
    }
  } catch {
    // The database is out of reach: looked up again in a moment.
  }
  polling = setTimeout(() => void poll(), pollInterval()).unref()
}

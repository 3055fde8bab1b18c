import type { NotificationEvent } from '@mokuroku/contract/notifications'
import { notifications, type Position } from '#store/notifications'
import { isListening } from '#database/announcements.ts'
import { type ChangeSignal, createChangeSignal } from '#lib/changeSignal.ts'
import { notifyHere, subscribedUsers, subscribe } from './subscribers.ts'

// Other processes on the same database announce the notifications they write (LISTEN/NOTIFY). Without announcements, as
// behind a connection pooler, the numbers of all listening users are polled every second, with one short query. With
// announcements they are polled, too, but rarely. (docs/decisions/006, 018)
const POLL_INTERVAL_MS = 1000
/** While other processes announce what they write: in case an announcement was lost. */
const LISTENING_POLL_INTERVAL_MS = 15_000
const pollInterval = () => (isListening() ? LISTENING_POLL_INTERVAL_MS : POLL_INTERVAL_MS)
const PAGE_SIZE = 50

/** A user's notifications from now on, or after a given number, as they are committed. Ends when the signal aborts. */
export async function* live(
  userId: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<NotificationEvent> {
  const inbox = createInboxSignal(userId, signal)
  try {
    let after = startAt(lastEventId, await positionOf(userId))
    let shown: number | undefined
    while (!signal.aborted) {
      inbox.reset()
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
      await inbox.wait()
    }
  } finally {
    inbox.close()
  }
}

/**
 * Where to continue: at most at the last number given, since a restored older database may not have reached
 * `lastEventId`.
 */
function startAt(lastEventId: string | undefined, { seq }: Position): number {
  const asked = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : seq
  return Math.min(asked, seq)
}

const positionOf = async (userId: string): Promise<Position> =>
  (await notifications.positions([userId])).get(userId) ?? { seq: 0, marks: 0 }

/** Waits for changes of a user's notifications. */
function createInboxSignal(userId: string, signal: AbortSignal): ChangeSignal {
  startPolling()
  return createChangeSignal((changed) => subscribe(userId, changed), signal)
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
    // The database is unreachable: the next poll tries again.
  }
  polling = setTimeout(() => void poll(), pollInterval()).unref()
}

// Who is woken when a user's notifications change. A change wakes listeners in this process at once, and is announced
// to the other processes.
import { announce, onAnnounced } from '#database/announcements.ts'

const listeners = new Map<string, Set<() => void>>()

/** Calls `listener` whenever a user's notifications have changed, until the returned function is called. */
export function subscribe(userId: string, listener: () => void): () => void {
  const own = listeners.get(userId) ?? new Set()
  listeners.set(userId, own.add(listener))
  return () => {
    own.delete(listener)
    if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId)
  }
}

/** Publishes that a user's notifications were changed by this process. */
export function publish(userId: string): void {
  notifyHere(userId)
  announce('inbox', userId)
}

/** Wakes the listeners in this process. */
export function notifyHere(userId: string): void {
  for (const each of listeners.get(userId) ?? []) each()
}

// An empty user id means that announcements may have been missed, so all listeners are woken.
onAnnounced('inbox', (userId) => {
  for (const each of userId === '' ? subscribedUsers() : [userId]) notifyHere(each)
})

/** The users with listeners. */
export const subscribedUsers = (): string[] => [...listeners.keys()]

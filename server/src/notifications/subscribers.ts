// Who is to be woken when a user's notifications change. Within this process a change wakes at once, and it is announced
// to the others.
import { announce, onAnnounced } from '#database/announcements.ts'

const listeners = new Map<string, Set<() => void>>()

/** Calls `listener` when something changed for the user, until the answer is called. */
export function subscribe(userId: string, listener: () => void): () => void {
  const own = listeners.get(userId) ?? new Set()
  listeners.set(userId, own.add(listener))
  return () => {
    own.delete(listener)
    if (own.size === 0 && listeners.get(userId) === own) listeners.delete(userId)
  }
}

/** Says that the notifications of a user have changed here. */
export function publish(userId: string): void {
  notifyHere(userId)
  announce('inbox', userId)
}

/** Wakes who listens in this process. */
export function notifyHere(userId: string): void {
  for (const each of listeners.get(userId) ?? []) each()
}

// Nobody in particular: something may have been missed.
onAnnounced('inbox', (userId) => {
  for (const each of userId === '' ? subscribedUsers() : [userId]) notifyHere(each)
})

/** The users that somebody is to be woken for. */
export const subscribedUsers = (): string[] => [...listeners.keys()]

// Who is notified in this process when a user's notifications change. A change is also announced to the other processes.
import { announce, onAnnounced } from '#database/announcements.ts'
import { KeyedListeners } from '#lib/keyedListeners.ts'

const listeners = new KeyedListeners()

/** Calls `listener` whenever a user's notifications have changed, until the returned function is called. */
export const subscribe = (userId: string, listener: () => void): (() => void) => listeners.add(userId, listener)

/** Publishes that a user's notifications were changed by this process. */
export function publish(userId: string): void {
  notifyHere(userId)
  announce('inbox', userId)
}

/** Notifies the listeners in this process; an empty id means that announcements may have been missed. */
export const notifyHere = (userId: string): void => listeners.notify(userId)

onAnnounced('inbox', notifyHere)

/** The users with listeners. */
export const subscribedUsers = (): string[] => listeners.keys()

// Who is to be woken when a user's notifications change. Within this process a change wakes at once.
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

export function publish(userId: string): void {
  for (const each of listeners.get(userId) ?? []) each()
}

/** The users that somebody is to be woken for. */
export const subscribedUsers = (): string[] => [...listeners.keys()]

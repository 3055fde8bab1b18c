// Who is to be woken when a user's notifications change. Within this process a change wakes at once.
const sleepers = new Map<string, Set<() => void>>()

/** Calls `listener` when something changed for the user, until the answer is called. */
export function whenWoken(userId: string, listener: () => void): () => void {
  const those = sleepers.get(userId) ?? new Set()
  sleepers.set(userId, those.add(listener))
  return () => {
    those.delete(listener)
    if (those.size === 0 && sleepers.get(userId) === those) sleepers.delete(userId)
  }
}

export function wake(userId: string): void {
  for (const each of sleepers.get(userId) ?? []) each()
}

/** The users that somebody is to be woken for. */
export const awaited = (): string[] => [...sleepers.keys()]

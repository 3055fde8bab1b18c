import { useSyncExternalStore } from 'react'

/**
 * A value outside React to which components subscribe: the session, the language, the toasts. `use()` is the hook;
 * `get` and `set` are for everything else.
 */
export function createStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  const get = () => value
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const set = (next: T) => {
    value = next
    for (const listener of listeners) listener()
  }
  return { get, set, subscribe, use: () => useSyncExternalStore(subscribe, get) }
}

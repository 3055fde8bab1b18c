/** One entry of the browser's local storage, as text. If the browser denies access, the storage seems empty. */
export const localEntry = (key: string) => entry(() => localStorage, key)

/** As `localEntry`, but in session storage: gone when the tab is closed. */
export const sessionEntry = (key: string) => entry(() => sessionStorage, key)

/** As `localEntry`, but a value that the storage does not take, full or denied, is kept until the page is closed. */
export function heldEntry(key: string) {
  const stored = localEntry(key)
  let held: string | undefined
  return {
    key,
    get: () => held ?? stored.get(),
    set: (value: string) => {
      stored.set(value)
      held = stored.get() === value ? undefined : value
    },
    remove: () => {
      held = undefined
      stored.remove()
    },
  }
}

/** The keys in local storage that start with `prefix`. */
export const storedKeys = (prefix: string): string[] =>
  attempt(() => Object.keys(localStorage).filter((key) => key.startsWith(prefix))) ?? []

function entry(storage: () => Storage, key: string) {
  return {
    key,
    get: () => attempt(() => storage().getItem(key)) ?? undefined,
    set: (value: string) => attempt(() => storage().setItem(key, value)),
    remove: () => attempt(() => storage().removeItem(key)),
  }
}

function attempt<T>(use: () => T): T | undefined {
  try {
    return use()
  } catch {
    return undefined
  }
}

/** One entry of the browser's local storage, as text. If the browser denies access, the storage seems empty. */
export const localEntry = (key: string) => entry(() => localStorage, key)

/** As `localEntry`, but in session storage: gone when the tab is closed. */
export const sessionEntry = (key: string) => entry(() => sessionStorage, key)

/** Removes all entries of session storage. */
export const clearSessionEntries = () => attempt(() => sessionStorage.clear())

/**
 * As `localEntry`, but this page keeps its own value until it loads what others have stored. A value that the storage does
 * not take, full or denied, is kept until the page is closed.
 */
export function heldEntry(key: string) {
  const item = localEntry(key)
  let held = item.get()
  let isStored = true
  const stored = () => (isStored ? item.get() : held)
  return {
    key,
    get: () => held,
    stored,
    load: () => (held = stored()),
    set: (value: string) => {
      item.set((held = value))
      isStored = item.get() === value
    },
    /** Leaves what others have stored meanwhile. */
    remove: () => {
      if (stored() === held) item.remove()
      held = undefined
      isStored = true
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

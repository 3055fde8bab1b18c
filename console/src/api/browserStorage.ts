/** One entry of the browser's local storage, as text. A browser that refuses storage behaves as an empty one. */
export const localEntry = (key: string) => entry(() => localStorage, key)

/** The same, gone when the tab is closed. */
export const sessionEntry = (key: string) => entry(() => sessionStorage, key)

/** The keys of the local storage that begin with `prefix`. */
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

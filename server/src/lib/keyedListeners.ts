/** Functions to call when what a key stands for has changed, by key. */
export class KeyedListeners {
  readonly #byKey = new Map<string, Set<() => void>>()

  /** Calls `listener` with every `notify` of the key, until the returned function is called. */
  add(key: string, listener: () => void): () => void {
    const own = this.#byKey.get(key) ?? new Set()
    this.#byKey.set(key, own.add(listener))
    return () => {
      own.delete(listener)
      if (own.size === 0 && this.#byKey.get(key) === own) this.#byKey.delete(key)
    }
  }

  /** Calls the listeners of a key; those of all keys for '', which says that changes may have been missed. */
  notify(key: string): void {
    const those = key === '' ? this.#byKey.values() : [this.#byKey.get(key) ?? []]
    for (const each of those) for (const listener of each) listener()
  }

  /** The keys that have listeners. */
  keys(): string[] {
    return [...this.#byKey.keys()]
  }
}

/** As `load`, but loads each key only once, unless that fails: then the next call tries again. */
export function loadOnce<Key, Value>(load: (key: Key) => Promise<Value>) {
  const loads = new Map<Key, Promise<Value>>()
  return (key: Key): Promise<Value> => {
    const known = loads.get(key)
    if (known) return known
    const loading = load(key)
    loads.set(key, loading)
    loading.catch(() => loads.delete(key))
    return loading
  }
}

/**
 * Merges several sources, yielding items as they arrive. The next item of a source is requested once the last was
 * taken.
 */
export async function* merged<T>(...sources: AsyncGenerator<T>[]): AsyncGenerator<T> {
  const next = (source: AsyncGenerator<T>) => source.next().then((result) => ({ source, result }))
  const pending = new Map(sources.map((source) => [source, next(source)]))
  try {
    while (pending.size > 0) {
      const { source, result } = await Promise.race(pending.values())
      pending.delete(source)
      if (result.done) continue
      yield result.value
      pending.set(source, next(source))
    }
  } finally {
    // Ignore errors of sources that are no longer read.
    for (const promise of pending.values()) promise.catch(() => undefined)
    for (const source of sources) void source.return(undefined).catch(() => undefined)
  }
}

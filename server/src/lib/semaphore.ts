/** A function that runs work, at most `limit` at the same time; further work waits in order. */
export function semaphore(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = limit
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await work()
    } finally {
      // The slot is handed over directly: if it was freed, a new caller could take it along with the one that waited.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

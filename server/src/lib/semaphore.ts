/** Makes a function that runs work, at most `limit` of it at the same time; what comes later waits in order. */
export function semaphore(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = limit
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await work()
    } finally {
      // The place is handed on: given back, somebody who comes now would take it beside the one who waited.
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

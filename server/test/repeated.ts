import { onTestFinished } from 'vitest'

/**
 * Repeats `work` several times in parallel. Returns the function that stops it and throws its first failure. A test that
 * fails before also stops it, and is then the only failure that is reported.
 */
export function repeated(times: number, work: () => Promise<unknown>): () => Promise<void> {
  const stop = new AbortController()
  const worker = async () => {
    while (!stop.signal.aborted) await work()
  }
  const workers = Promise.all(Array.from({ length: times }, worker))
  workers.catch(() => undefined)
  onTestFinished(() => stop.abort())
  return async () => {
    stop.abort()
    await workers
  }
}

/**
 * Runs `work` on the first call only, and returns its result to every caller. After a failure, as while too many files
 * are open, the next call tries again.
 */
export function lazy<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () =>
    (result ??= work().catch((error: unknown) => {
      result = undefined
      throw error
    }))
}

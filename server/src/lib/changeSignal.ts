/** Waits for changes. One that comes before anybody waits for it is not lost. */
export interface ChangeSignal {
  /** Forgets earlier changes. Call it before querying the database, so that none is missed. */
  reset(): void
  /**
   * Resolves when something has changed since `reset` or changes, after at most `ms` milliseconds if they are given, or
   * when the abort signal aborts.
   */
  wait(ms?: number): Promise<void>
  close(): void
}

/** `subscribe` has its argument called after every change, until the function that it returns is called. */
export function createChangeSignal(subscribe: (changed: () => void) => () => void, signal: AbortSignal): ChangeSignal {
  let hasChanged = false
  let endWait: (() => void) | undefined
  const changed = (): void => {
    hasChanged = true
    endWait?.()
  }
  const unsubscribe = subscribe(changed)
  signal.addEventListener('abort', changed)
  return {
    reset: () => void (hasChanged = signal.aborted),
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms).unref()
        endWait = () => {
          clearTimeout(timer)
          resolve()
        }
        if (hasChanged) endWait()
      }),
    close: () => {
      unsubscribe()
      signal.removeEventListener('abort', changed)
    },
  }
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** How long work may keep other requests from being handled, in milliseconds. */
const SLICE_MS = 20

/** Returns a function to call between the parts of long work: it waits for a turn if others have waited for long. */
export function turns(): () => Promise<void> {
  let began = performance.now()
  return async () => {
    if (performance.now() - began <= SLICE_MS) return
    await yieldToEventLoop()
    began = performance.now()
  }
}

import { isListening } from '#database/announcements.ts'
import { createJobSignal } from './signal.ts'

/** How often the progress of another process is polled, in milliseconds. */
const POLL_MS = 1000
/** The same while its announcements are received. */
const LISTENING_POLL_MS = 15_000

/** Yields what `find` returns, and again whenever that has changed, until `isEnded` or `signal` aborts. */
export async function* follow<Data>(
  find: () => Promise<Data>,
  isEnded: (data: Data) => boolean,
  signal: AbortSignal,
): AsyncGenerator<Data> {
  const jobSignal = createJobSignal(signal)
  try {
    let seen = ''
    while (!signal.aborted) {
      jobSignal.reset()
      const data = await find()
      const state = JSON.stringify(data)
      if (state !== seen) yield data
      seen = state
      if (isEnded(data)) return
      await jobSignal.wait(isListening() ? LISTENING_POLL_MS : POLL_MS)
    }
  } finally {
    jobSignal.close()
  }
}

import { isListening } from '#database/announcements.ts'
import { createBell } from './bell.ts'

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
  const bell = createBell(signal)
  try {
    let seen = ''
    while (!signal.aborted) {
      bell.hush()
      const data = await find()
      const state = JSON.stringify(data)
      if (state !== seen) yield data
      seen = state
      if (isEnded(data)) return
      await bell.rung(isListening() ? LISTENING_POLL_MS : POLL_MS)
    }
  } finally {
    bell.close()
  }
}

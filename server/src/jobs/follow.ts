import { isListening } from '#database/announcements.ts'
import { createBell } from './bell.ts'

/** How often what another process works on is looked up, in milliseconds. */
const POLL_MS = 1000
/** As long as it announces its progress. */
const LISTENING_POLL_MS = 15_000

/** What `find` answers as it is, and whenever it has changed, until `isEnded` or `signal` aborts. */
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

import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '#lib/errors.ts'

/** How long an error can still become an error response instead of ending the stream, in milliseconds. */
const FIRST_CHUNK_TIMEOUT_MS = 5000

/**
 * Returns the stream after its first part has arrived or a timeout has passed. A refusal before that is thrown, and so
 * is answered with its own status. `failed` turns a later one into the last part, if the stream has a form for it. When
 * `signal` aborts, the stream ends, even if nobody reads it.
 */
export async function awaitFirstChunk<T>(
  parts: AsyncGenerator<T>,
  signal: AbortSignal,
  failed: (refusal: Refusal) => T | undefined = () => undefined,
): Promise<AsyncIterable<T>> {
  const first = parts.next()
  const end = () => void parts.return(undefined).catch(() => undefined)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  const timeout = new AbortController()
  await Promise.race([first, sleep(FIRST_CHUNK_TIMEOUT_MS, undefined, { signal: timeout.signal })]).finally(() =>
    timeout.abort(),
  )
  return rest(first, parts, failed)
}

async function* rest<T>(
  first: Promise<IteratorResult<T>>,
  parts: AsyncGenerator<T>,
  failed: (refusal: Refusal) => T | undefined,
): AsyncGenerator<T> {
  try {
    for (let next = await first; !next.done; next = await parts.next()) yield next.value
  } catch (error) {
    const last = error instanceof Refusal ? failed(error) : undefined
    if (last === undefined) throw error
    yield last
  } finally {
    await parts.return(undefined)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import { Refusal } from '#lib/errors.ts'

/** How long a failure may still be an answer of its own instead of the end of a stream, in milliseconds. */
const FIRST_CHUNK_TIMEOUT_MS = 5000

/**
 * The stream, once its first part is there or has been waited for a while: until then a refusal is thrown, and so
 * answered with its status. `failed` makes of a later one the last part, where the stream has a form for it.
 */
export async function awaitFirstChunk<T>(
  parts: AsyncGenerator<T>,
  failed: (refusal: Refusal) => T | undefined = () => undefined,
): Promise<AsyncIterable<T>> {
  const first = parts.next()
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

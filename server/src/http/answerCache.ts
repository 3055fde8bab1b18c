// A cache of responses. The response to a call that is `cached` in the contract depends only on the database and on the
// caller. The session lookup of every call also returns the state of the database (docs/decisions/029): while that is
// the same, nobody has committed anything, and the response is still correct.
import { counter } from '#lib/metrics.ts'
import { time } from '#lib/clock.ts'
import type { Text } from './compress.ts'

const requests = counter('answer_cache_requests_total', 'Calls whose answer may be cached, by whether it was', [
  'outcome',
])

/** The maximum size of one response. */
const MAX_ANSWER_BYTES = 256 * 1024
/**
 * Estimates: the memory of a response besides its text and key, in bytes, and its compressed size as a share of the
 * text.
 */
const [OVERHEAD_BYTES, COMPRESSED_SHARE] = [500, 0.25]
/** URLs of private files expire, and change every minute (assets/urls.ts). */
const MINUTE_MS = 60_000

export interface CachedAnswer extends Text {
  headers: Record<string, string>
  text: Buffer
}

export class AnswerCache {
  readonly #maxBytes: number
  #state = ''
  #minute = 0
  #bytes = 0
  readonly #answers = new Map<string, CachedAnswer>()

  /** Holds at most this many megabytes; when it is full, it is emptied. */
  constructor(megabytes = 32) {
    this.#maxBytes = megabytes * 1024 * 1024
  }

  /** The cached response to a call when the database is in `state`; undefined if there is none, or with `anew`. */
  find(state: string, key: string, { anew = false } = {}): CachedAnswer | undefined {
    const minute = Math.floor(time() / MINUTE_MS)
    if (state !== this.#state || minute !== this.#minute) this.#begin(state, minute)
    const found = anew ? undefined : this.#answers.get(key)
    requests.inc({ outcome: found ? 'hit' : 'miss' })
    return found
  }

  /**
   * Caches a response that was computed after `find` was called with the same state, unless another state was seen
   * since.
   */
  keep(state: string, key: string, answer: CachedAnswer): void {
    const bytes = 2 * key.length + (1 + COMPRESSED_SHARE) * answer.text.length + OVERHEAD_BYTES
    if (state !== this.#state || bytes > MAX_ANSWER_BYTES || this.#answers.has(key)) return
    if (this.#bytes + bytes > this.#maxBytes) this.#begin(state, this.#minute)
    this.#answers.set(key, answer)
    this.#bytes += bytes
  }

  #begin(state: string, minute: number): void {
    this.#state = state
    this.#minute = minute
    this.#bytes = 0
    this.#answers.clear()
  }
}

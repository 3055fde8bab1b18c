// Answers that still hold. What a call that is `cached` in the contract answers depends on the database and on who asks
// alone, and the session that every call looks up says which state the database is in (docs/decisions/029): while that is
// the same, nothing has been committed, by anybody, and the answer is the same as well.
import { counter } from '#lib/metrics.ts'
import { time } from '#lib/clock.ts'
import type { Text } from './compress.ts'

const requests = counter('answer_cache_requests_total', 'Calls whose answer may be cached, by whether it was', [
  'outcome',
])

/** Of one answer, in bytes. */
const LARGEST = 256 * 1024
/** What an answer takes beside its text and its key, in bytes, and compressed, as a share of its text: guesses. */
const [OVERHEAD, COMPRESSED] = [500, 0.25]
/** Addresses of private files expire, and are others with every minute (assets/urls.ts). */
const MINUTE_MS = 60_000

export interface CachedAnswer extends Text {
  headers: Record<string, string>
  text: Buffer
}

export class AnswerCache {
  readonly #most: number
  #state = ''
  #minute = 0
  #bytes = 0
  readonly #answers = new Map<string, CachedAnswer>()

  /** Holds so many megabytes at most; when it is full, it begins anew. */
  constructor(megabytes = 32) {
    this.#most = megabytes * 1024 * 1024
  }

  /** The answer to a call when the database is in `state`; none where it is to be made anew. */
  find(state: string, key: string, { anew = false } = {}): CachedAnswer | undefined {
    const minute = Math.floor(time() / MINUTE_MS)
    if (state !== this.#state || minute !== this.#minute) this.#begin(state, minute)
    const found = anew ? undefined : this.#answers.get(key)
    requests.inc({ outcome: found ? 'hit' : 'miss' })
    return found
  }

  /** Keeps what was read after `find` was asked with the same state, unless another state has been seen since. */
  keep(state: string, key: string, answer: CachedAnswer): void {
    const bytes = 2 * key.length + (1 + COMPRESSED) * answer.text.length + OVERHEAD
    if (state !== this.#state || bytes > LARGEST || this.#answers.has(key)) return
    if (this.#bytes + bytes > this.#most) this.#begin(state, this.#minute)
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

// Which statements PostgreSQL keeps prepared, so that each connection parses and plans them only once.
import { createHash } from 'node:crypto'

/** A statement to send; one without a name is not prepared. */
export interface Prepared {
  text: string
  name?: string
  /** Whether it changes nothing and takes no locks, and therefore never waits. */
  onlyReads: boolean
}

/** The maximum number of remembered texts. There is no limit to texts with inline lists of values. */
const MAX_KNOWN = 2000
/** The maximum number of prepared statements, on each connection. */
const MAX_NAMED = 250
/** SQLSTATEs: already prepared, not prepared, and changed result columns. */
const [DUPLICATE, UNKNOWN, CHANGED] = ['42P05', '26000', '0A000']
const READS = /^\s*(?:select|with)\b/i
const WRITES =
  /\b(?:for (?:update|share|no key update|key share)|insert|update|delete|nextval|setval|set_config|pg_(?!current_snapshot\b|postmaster_start_time\b)\w+)\b/i

/**
 * Whether a statement changes nothing and takes no locks. Functions of PostgreSQL itself (`pg_…`) may do both, except
 * those that each request calls.
 */
export const onlyReads = (text: string): boolean => READS.test(text) && !WRITES.test(text)

/**
 * A prepared statement cannot be used: it does not exist, or its result columns have changed. It has not been run. Its
 * code is that of a serialization failure, so that a transaction is retried.
 */
export class StaleStatement extends Error {
  readonly code = '40001'
  readonly isGone: boolean

  constructor(isGone: boolean, cause: unknown) {
    super('A prepared statement cannot be used', { cause })
    this.isGone = isGone
  }

  /**
   * From an error of PostgreSQL; `isPrepared` if the statement had been prepared over this connection. Undefined for
   * other errors.
   */
  static from(error: unknown, isPrepared: boolean): StaleStatement | undefined {
    const { code, routine } = error as { code?: string; routine?: string }
    if (code === DUPLICATE || (code === UNKNOWN && isPrepared)) return new StaleStatement(true, error)
    return code === CHANGED && routine === 'RevalidateCachedQuery' ? new StaleStatement(false, error) : undefined
  }
}

/**
 * Gives statements names when they are repeated, if `isOn`. A name is a hash of the text: behind a pooler, any client
 * that prepared a statement of that name prepared the same one. A pooler that lends another connection to each
 * transaction, and does not carry prepared statements over, is detected by the first one that is missing; from then on,
 * statements are not prepared.
 */
export function prepareBy(isOn: boolean) {
  const known = new Map<string, Prepared>()
  const named = new Map<string, Prepared>()
  let [generation, isKept] = [0, isOn]
  return {
    /** The statement for a text: with a name from its second use on. */
    named: (text: string): Prepared => {
      const ready = named.get(text)
      if (ready) return ready
      const found = known.get(text)
      if (!found) {
        if (known.size >= MAX_KNOWN) known.clear()
        const made = { text, onlyReads: onlyReads(text) }
        known.set(text, made)
        return made
      }
      if (!isKept || named.size >= MAX_NAMED) return found
      const made = { ...found, name: nameOf(text, generation) }
      named.set(text, made)
      return made
    },
    /** Learns from an error. Returns whether the statement may be sent again. */
    note: (error: unknown): boolean => {
      if (!(error instanceof StaleStatement)) return false
      if (error.isGone) isKept = false
      else generation += 1
      named.clear()
      return true
    },
  }
}

/** 96 bits of SHA-256. */
const nameOf = (text: string, generation: number): string =>
  createHash('sha256').update(`${generation} ${text}`).digest('base64url').slice(0, 16)

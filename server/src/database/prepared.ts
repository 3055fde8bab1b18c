// Which statements PostgreSQL is to keep prepared, so that it reads and plans them once for each connection.
import { createHash } from 'node:crypto'

/** A statement as it is sent: one without a name is read anew each time. */
export interface Prepared {
  text: string
  name?: string
  /** Whether it changes nothing and locks nothing, and so waits for nobody. */
  onlyReads: boolean
}

/** Texts that are known at most: those that name a list of values are without number. */
const MAX_KNOWN = 2000
/** Each connection holds as many statements. */
const MAX_NAMED = 250
/** It has been prepared already; it is not known; its rows have other columns. */
const [DUPLICATE, UNKNOWN, CHANGED] = ['42P05', '26000', '0A000']
const READS = /^\s*(?:select|with)\b/i
const WRITES =
  /\b(?:for (?:update|share|no key update|key share)|insert|update|delete|nextval|setval|set_config|pg_\w+)\b/i

/** Whether a statement changes nothing and locks nothing. What calls a function of PostgreSQL itself may do both. */
export const onlyReads = (text: string): boolean => READS.test(text) && !WRITES.test(text)

/**
 * A prepared statement cannot be used: it is not there, or its rows have other columns now. It has not been done. A
 * transaction that meets one begins again: it reads as a serialization failure.
 */
export class StaleStatement extends Error {
  readonly code = '40001'
  readonly isGone: boolean

  constructor(isGone: boolean, cause: unknown) {
    super('A prepared statement cannot be used', { cause })
    this.isGone = isGone
  }

  /** Of what PostgreSQL says to a statement; `isPrepared` when it had been prepared over this connection. */
  static of(error: unknown, isPrepared: boolean): StaleStatement | undefined {
    const { code, routine } = error as { code?: string; routine?: string }
    if (code === DUPLICATE || (code === UNKNOWN && isPrepared)) return new StaleStatement(true, error)
    return code === CHANGED && routine === 'RevalidateCachedQuery' ? new StaleStatement(false, error) : undefined
  }
}

/**
 * Names statements as they are asked for again, where `isOn`. A name says what the statement is, so that whoever else
 * prepared one of this name, behind a pooler, prepared the same. A pooler that lends another connection to each
 * transaction, and does not take prepared statements along, is found out by the first that is not there: then this goes
 * on without.
 */
export function prepareBy(isOn: boolean) {
  const known = new Map<string, Prepared>()
  const named = new Map<string, Prepared>()
  let [generation, isKept] = [0, isOn]
  return {
    /** The statement of a text: with a name from the second time on. */
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
    /** Takes note of an error; whether it says of a statement that it may be sent again. */
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

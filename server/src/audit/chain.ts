import { createHash } from 'node:crypto'
import { setImmediate as breath } from 'node:timers/promises'
import type { AuditEntry, CHAIN_FAULTS } from '@mokuroku/contract/audit'
import { db } from '#database/db.ts'

type Code = (typeof CHAIN_FAULTS)[number]

/** What the first entry follows. */
const BEGINNING = '0'.repeat(64)
/** So many entries are read at a time. */
const BATCH_SIZE = 200

/** How many entries were found to be as they were written, and what is wrong at the first that is not. */
export interface Checked {
  entries: number
  /** The number and the hash of the last that is not kept any more: what the first follows. None while all are. */
  from?: { seq: number; hash: string }
  broken?: { seq: number; code: Code; why: string }
}

const SENTENCES: Record<Code, string> = {
  changed: 'This entry is not as it was written, or not where it was.',
  missing: 'This entry is missing.',
  added: 'This entry was not written by Mokuroku.',
  head: 'The record of the last entry is missing or altered.',
  deleted: 'No entry tells that those up to here were deleted by their age.',
}

/** The hash of an entry: SHA-256, in hex, of the hash before it, a line end, and the entry as canonical JSON. */
export const hashOf = (previous: string, entry: object): string =>
  createHash('sha256')
    .update(`${previous}\n${canonical(entry)}`)
    .digest('hex')

/** JSON with its keys sorted by code unit, and no space between: the same text for the same value, everywhere. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .toSorted(([one], [two]) => (one < two ? -1 : 1))
  return `{${parts.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`
}

/**
 * Walks through the audit log from the first entry that is kept to the one that was the last when it began, and stops at the first
 * that is changed, missing, added or out of its place. What a chain cannot show is in docs/decisions/009.
 */
export async function verifyChain({ signal }: { signal?: AbortSignal } = {}): Promise<Checked> {
  const head = await headAndLast()
  if (!head) return brokenAt(0, 0, 'head')
  const { deletedSeq: from, deletedHash } = head
  let [seq, hash] = [from, from === 0 ? BEGINNING : deletedHash]
  const broken = (count: number, at: number, code: Code) => brokenAt(count - from, at, code)
  let isTold = from === 0
  while (seq < head.seq) {
    signal?.throwIfAborted()
    const rows = await entriesAfter(seq, head.seq, from)
    if (rows.length === 0) return broken(seq, seq + 1, 'missing')
    for (const row of rows) {
      if (row.seq !== seq + 1) return broken(seq, Math.min(row.seq, seq + 1), row.seq <= seq ? 'added' : 'missing')
      if (!isAsWritten(row, hash)) return broken(seq, row.seq, 'changed')
      isTold ||= tells(row, head)
      ;({ seq, hash } = row)
    }
    // Calls that came meanwhile are answered first.
    await breath()
  }
  if (hash !== head.hash) return broken(seq, seq, 'head')
  if (head.last !== null && head.last > seq) return broken(seq, seq + 1, 'added')
  if (!isTold) return broken(seq, from, 'deleted')
  return { entries: seq - from, ...(from > 0 && { from: { seq: from, hash: deletedHash } }) }
}

/** Whether an entry tells that those up to where the log begins were deleted: whoever moves that alone is found out. */
function tells({ action, stored }: Stored, { deletedSeq, deletedHash }: { deletedSeq: number; deletedHash: string }) {
  if (action !== 'audit.deleted') return false
  const { last, hash } = JSON.parse(String(stored)) as { last?: unknown; hash?: unknown }
  return last === deletedSeq && hash === deletedHash
}

const brokenAt = (entries: number, seq: number, code: Code): Checked => ({
  entries,
  broken: { seq, code, why: SENTENCES[code] },
})

/** The end as it is kept, and the last entry there is: read at one moment, since entries are written meanwhile. */
const headAndLast = () =>
  db
    .selectFrom('auditHead')
    .select(['seq', 'hash', 'deletedSeq', 'deletedHash'])
    .select((from) =>
      from
        .selectFrom('audit')
        .select(({ fn }) => fn.max('seq').as('seq'))
        .as('last'),
    )
    .executeTakeFirst()

type Stored = Omit<AuditEntry, 'details'> & { stored: unknown }

/** The details are read as they are stored: one that is no JSON any more is for `isAsWritten` to find. */
const entriesAfter = (seq: number, last: number, from: number): Promise<Stored[]> =>
  db
    .selectFrom('audit')
    .select(['seq', '_id', 'createdAt', 'area', 'action', 'outcome', 'actorId', 'actorName', 'session'])
    .select(['address', 'userAgent', 'entityType', 'entityId', 'label', 'hash', 'details as stored'])
    // From the very beginning, so that nothing hides before the first; where older ones are being deleted they are not read.
    .$if(seq > 0 || from > 0, (query) => query.where('seq', '>', seq))
    .where('seq', '<=', last)
    .orderBy('seq')
    .limit(BATCH_SIZE)
    .execute()

function isAsWritten({ hash, stored, ...entry }: Stored, previous: string): boolean {
  try {
    return hash === hashOf(previous, { ...entry, details: JSON.parse(String(stored)) as unknown })
  } catch {
    return false
  }
}

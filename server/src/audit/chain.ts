import { createHash } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { AuditEntry, CHAIN_FAULTS } from '@mokuroku/contract/audit'
import { db } from '#database/db.ts'

type Code = (typeof CHAIN_FAULTS)[number]

/** The hash before the first entry. */
const BEGINNING = '0'.repeat(64)
/** Number of entries read at a time. */
const BATCH_SIZE = 200

/** The result of a verification: how many entries are intact, and what is wrong with the first that is not. */
export interface Checked {
  entries: number
  /** Number and hash of the last deleted entry, which the first kept one follows. Absent if none was deleted. */
  from?: { seq: number; hash: string }
  broken?: { seq: number; code: Code; why: string }
}

const SENTENCES: Record<Code, string> = {
  changed: 'This entry was altered or moved.',
  missing: 'This entry is missing.',
  added: 'This entry was not written by Mokuroku.',
  head: 'The record of the last entry is missing or altered.',
  deleted: 'No entry records that the entries up to here were deleted because of their age.',
}

/** The hash of an entry: SHA-256, in hex, of the hash before it, a line end, and the entry as canonical JSON. */
export const hashOf = (previous: string, entry: object): string =>
  createHash('sha256')
    .update(`${previous}\n${canonical(entry)}`)
    .digest('hex')

/** JSON with keys sorted by code unit and no whitespace, so that the same value always gives the same text. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .toSorted(([one], [two]) => (one < two ? -1 : 1))
  return `{${parts.map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`).join(',')}}`
}

/**
 * Verifies the audit log from the first kept entry to the one that was the last at the start, and stops at the first
 * that is changed, missing, added or out of place. docs/decisions/009 says what a hash chain cannot detect.
 */
export async function verifyChain(): Promise<Checked> {
  for (;;) {
    const head = await headAndLast()
    if (!head) return brokenAt(0, 0, 'head')
    const checked = await verifyTo(head)
    // Entries that retention deleted meanwhile are not missing: start again after them.
    if (!checked.broken || (await headAndLast())?.deletedSeq === head.deletedSeq) return checked
  }
}

/** Like `verifyChain`, up to `head`. */
async function verifyTo(head: Head): Promise<Checked> {
  const { deletedSeq: from, deletedHash } = head
  let [seq, hash] = [from, from === 0 ? BEGINNING : deletedHash]
  const broken = (count: number, at: number, code: Code) => brokenAt(count - from, at, code)
  let isRecorded = from === 0
  while (seq < head.seq) {
    const rows = await entriesAfter(seq, head.seq, from)
    if (rows.length === 0) return broken(seq, seq + 1, 'missing')
    for (const row of rows) {
      if (row.seq !== seq + 1) return broken(seq, Math.min(row.seq, seq + 1), row.seq <= seq ? 'added' : 'missing')
      if (!isAsWritten(row, hash)) return broken(seq, row.seq, 'changed')
      isRecorded ||= recordsDeletion(row, head)
      ;({ seq, hash } = row)
    }
    // Let waiting requests run in between.
    await yieldToEventLoop()
  }
  if (hash !== head.hash) return broken(seq, seq, 'head')
  if (head.last !== null && head.last > seq) return broken(seq, seq + 1, 'added')
  if (!isRecorded) return broken(seq, from, 'deleted')
  return { entries: seq - from, ...(from > 0 && { from: { seq: from, hash: deletedHash } }) }
}

/**
 * Whether an entry records the deletion of all entries before the log begins. This detects a beginning that was moved
 * on its own.
 */
function recordsDeletion(
  { action, stored }: Stored,
  { deletedSeq, deletedHash }: { deletedSeq: number; deletedHash: string },
) {
  if (action !== 'audit.deleted') return false
  const { last, hash } = JSON.parse(String(stored)) as { last?: unknown; hash?: unknown }
  return last === deletedSeq && hash === deletedHash
}

const brokenAt = (entries: number, seq: number, code: Code): Checked => ({
  entries,
  broken: { seq, code, why: SENTENCES[code] },
})

/** The recorded head and the last entry in the table, read in one query since entries are written meanwhile. */
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

type Head = NonNullable<Awaited<ReturnType<typeof headAndLast>>>

type Stored = Omit<AuditEntry, 'details'> & { stored: unknown }

/** Reads the details as stored text, so that invalid JSON is left for `isAsWritten` to detect. */
const entriesAfter = (seq: number, last: number, from: number): Promise<Stored[]> =>
  db
    .selectFrom('audit')
    .select(['seq', '_id', 'createdAt', 'area', 'action', 'outcome', 'actorId', 'actorName', 'session'])
    .select(['address', 'userAgent', 'entityType', 'entityId', 'label', 'hash', 'details as stored'])
    // If nothing was deleted, there is no lower bound, so that an entry inserted before the first (seq ≤ 0) is found.
    // Otherwise entries that are still to be deleted are skipped.
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

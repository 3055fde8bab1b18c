import type { AuditAction, AuditArea, AuditEntry, Outcome } from '@mokuroku/contract/audit'
import type { Transaction } from '#database/db.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { hashOf } from './chain.ts'

/** An event to log. Omitted properties are stored as empty. */
export interface AuditEvent {
  action: AuditAction
  outcome?: Outcome
  /** Who did it; absent for a visitor. */
  actor?: { _id: string; username: string; session?: string | undefined; client?: Client | undefined } | undefined
  /** Where it came from; the actor's client by default. */
  client?: Client | undefined
  /** What it was done to. */
  about?: { type: string; id?: string | undefined; label?: string | undefined }
  /** Small and without secrets, since readers of the log see it. */
  details?: Record<string, unknown>
}
interface Client {
  address: string
  userAgent: string
}

/** Texts are cut to this length, in UTF-16 code units. */
const MAX_TEXT_CHARS = 300
/** Maximum length of the details as JSON. */
const MAX_DETAILS_CHARS = 4000
/** In milliseconds. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000
/** Number of rows per INSERT. */
const BATCH_SIZE = 200

/**
 * Appends entries to the hash chain, in a transaction. The head is updated first, which locks it until the transaction
 * ends: no other transaction, in this process or another, can append meanwhile. So the numbers have no gaps, and every
 * hash has only one successor.
 */
export async function append(tx: Transaction, events: AuditEvent[]): Promise<void> {
  if (events.length === 0) return
  const head = await tx
    .updateTable('auditHead')
    .set((set) => ({ seq: set('seq', '+', events.length) }))
    .returning(['seq', 'hash', 'createdAt'])
    .executeTakeFirstOrThrow()
  let { seq, hash } = head
  seq -= events.length
  const createdAt = timeAfter(head.createdAt)
  const rows = events.map((event): AuditEntry => {
    const entry = entryOf(event, (seq += 1), createdAt)
    hash = hashOf(hash, entry)
    return { ...entry, hash }
  })
  for (let at = 0; at < rows.length; at += BATCH_SIZE)
    await tx
      .insertInto('audit')
      .values(rows.slice(at, at + BATCH_SIZE))
      .execute()
  await tx.updateTable('auditHead').set({ hash, createdAt }).execute()
}

/**
 * The current time, but not before the last entry: a small clock correction must not put entries out of order. If the
 * last entry is more than MAX_CLOCK_SKEW_MS ahead, its clock was wrong and is ignored.
 */
function timeAfter(last: string): string {
  const at = now()
  const ahead = Date.parse(last) - Date.parse(at)
  return ahead > 0 && ahead < MAX_CLOCK_SKEW_MS ? last : at
}

function entryOf(
  { action, outcome = 'ok', actor, client = actor?.client, about, details = {} }: AuditEvent,
  seq: number,
  createdAt: string,
): Omit<AuditEntry, 'hash'> {
  return {
    seq,
    _id: newId(),
    createdAt,
    area: action.slice(0, action.indexOf('.')) as AuditArea,
    action,
    outcome,
    actorId: actor?._id ?? '',
    actorName: clean(actor?.username),
    session: actor?.session ?? '',
    address: clean(client?.address),
    userAgent: clean(client?.userAgent),
    entityType: about?.type ?? '',
    entityId: clean(about?.id),
    label: clean(about?.label),
    details: small(details),
  }
}

// eslint-disable-next-line no-control-regex -- they are what is taken out
const CONTROL = /[\0-\x1f\x7f]/g

/** Normalizes a text so that every database engine returns it unchanged; otherwise it would not match its hash. */
const clean = (given = ''): string => given.slice(0, MAX_TEXT_CHARS).toWellFormed().replace(CONTROL, ' ')

/** The details as JSON with cleaned texts; if that is too long, only its length. */
function small(details: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(details, (_, value: unknown) => (typeof value === 'string' ? clean(value) : value))
  return text.length > MAX_DETAILS_CHARS ? { tooLong: text.length } : (JSON.parse(text) as Record<string, unknown>)
}

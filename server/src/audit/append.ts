import type { AuditAction, AuditArea, AuditEntry, Outcome } from '@mokuroku/contract/audit'
import type { Transaction } from '#database/db.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { hashOf } from './chain.ts'

/** Something that happened. What is left out there is none of. */
export interface AuditEvent {
  action: AuditAction
  outcome?: Outcome
  /** Who did it; nobody for a visitor. */
  actor?: { _id: string; username: string; session?: string | undefined; client?: Client | undefined } | undefined
  /** Where it came from; the actor's where they have one. */
  client?: Client | undefined
  /** What it was done to. */
  about?: { type: string; id?: string | undefined; label?: string | undefined }
  /** Small, and without secrets: who reads the log sees it. */
  details?: Record<string, unknown>
}
interface Client {
  address: string
  userAgent: string
}

/** How long a text is kept at most, in UTF-16 units. */
const MAX_TEXT_CHARS = 300
/** What details may come to as JSON. */
const MAX_DETAILS_CHARS = 4000
/** In milliseconds. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000
/** So many rows go into one statement. */
const BATCH_SIZE = 200

/**
 * Adds to the chain, in a transaction. The head is written first: from there to the end of the transaction nobody else
 * adds, in this process or another, so that numbers have no gap and no hash has two that follow it.
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

/** Now. A clock that is set right by a little brings nothing out of its order; one that was quite wrong is not kept to. */
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

/** As every engine keeps it and gives it back: what came back otherwise would not fit its hash. */
const clean = (given = ''): string => given.slice(0, MAX_TEXT_CHARS).toWellFormed().replace(CONTROL, ' ')

/** What JSON makes of it, its texts cleaned; only how much there was, where there is too much. */
function small(details: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(details, (_, value: unknown) => (typeof value === 'string' ? clean(value) : value))
  return text.length > MAX_DETAILS_CHARS ? { tooLong: text.length } : (JSON.parse(text) as Record<string, unknown>)
}

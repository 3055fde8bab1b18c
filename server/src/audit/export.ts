import type { AuditEntry, AuditExportQuery } from '@mokuroku/contract/audit'
import type * as z from 'zod/mini'
import type { TextFile } from '#http/serve.ts'
import { BYTE_ORDER_MARK, csvLine } from '#lib/csv.ts'
import { now } from '#lib/clock.ts'
import type { Actor } from '#access/permissions.ts'
import { audit } from '#store/audit'
import { canonical } from './chain.ts'

const COLUMNS = [
  'seq',
  'createdAt',
  'area',
  'action',
  'outcome',
  'actorId',
  'actorName',
  'session',
  'address',
  'userAgent',
  'entityType',
  'entityId',
  'label',
  'details',
  '_id',
  'hash',
] as const satisfies (keyof AuditEntry)[]

/**
 * The log as a file, oldest entry first. The export itself is logged before the first line is sent; if that fails,
 * nothing is sent.
 */
export async function exportFile(
  { format, ...filters }: z.output<typeof AuditExportQuery>,
  actor: Actor,
): Promise<TextFile> {
  await audit.recordNow({ action: 'audit.exported', actor, details: { format, ...filters } })
  const filename = `audit-${now().slice(0, 10)}.${format}`
  return format === 'csv'
    ? { filename, type: 'text/csv', parts: tableOf(audit.all(filters)) }
    : { filename, type: 'application/x-ndjson', parts: linesOf(audit.all(filters)) }
}

async function* tableOf(parts: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine([...COLUMNS])
  for await (const entries of parts) yield entries.map((entry) => csvLine(cellsOf(entry))).join('')
}

/** Each line is an entry as it was hashed, with its hash. */
async function* linesOf(parts: AsyncIterable<AuditEntry[]>): AsyncGenerator<string> {
  for await (const entries of parts) yield entries.map((entry) => `${canonical(entry)}\n`).join('')
}

const cellsOf = (entry: AuditEntry): string[] =>
  COLUMNS.map((name) => (name === 'details' ? canonical(entry.details) : String(entry[name])))

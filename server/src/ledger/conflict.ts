import type { Document } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Transaction } from '#database/db.ts'
import { Refusal } from '#lib/errors.ts'
import type { Meta } from '#database/tables.ts'
import { snapshotAt } from './snapshots.ts'

interface Conflict {
  base: Document | undefined
  mine: Document
  theirs: Document
  conflicts: string[]
}

/** The maximum number of later versions whose authors are named. */
const MAX_VERSIONS = 50

const stale = (details?: Record<string, unknown>) => new Refusal(412, 'stale', reasonText('stale'), undefined, details)

/**
 * Throws 412, with `details`, for a change that is based on another version than the stored one, where nothing can be
 * merged; without `base`, it overwrites what is stored.
 */
export function requireVersion(
  base: number | undefined,
  { version }: { version: number },
  details?: Record<string, unknown>,
): void {
  if (base !== undefined && base !== version) throw stale(details)
}

/** The 412 for a save based on the version `since`, with the data that the user needs to resolve the conflict. */
export async function conflict(tx: Transaction, current: Meta, since: number, values: Conflict): Promise<Refusal> {
  return stale({
    ...values,
    version: current.version,
    updatedAt: current.updatedAt,
    savedBy: await authorsSince(tx, current._id, since),
  })
}

/** The same for a delete or a merge, which sends no values: `mine` is the version that the caller has seen. */
export async function seenBefore(
  tx: Transaction,
  current: Meta,
  since: number,
  { theirs, conflicts }: Pick<Conflict, 'theirs' | 'conflicts'>,
): Promise<Refusal> {
  const base = await snapshotAt(tx, current._id, since)
  return conflict(tx, current, since, { base, mine: base ?? theirs, theirs, conflicts })
}

/** The names of those who wrote an entity after a version, the latest first. */
async function authorsSince(tx: Transaction, entityId: string, version: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('revisions')
    .select('username')
    .where('entityId', '=', entityId)
    .where('version', '>', version)
    .orderBy('version', 'desc')
    .limit(MAX_VERSIONS)
    .execute()
  return [...new Set(rows.map(({ username }) => username))]
}

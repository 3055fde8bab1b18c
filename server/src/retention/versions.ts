// Deletes old versions of entities. The version that was current at the cut-off and all later ones are kept: a state
// that lasted until yesterday is not old, however long ago it was written.
import type { Transaction } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { incrementCounter } from '#ledger/counters.ts'
import { snapshotAt } from '#ledger/snapshots.ts'
import { firstIdAt, MAX_SKEW_MS } from '#lib/ids.ts'

/** The maximum number of versions read, and deleted, in one transaction. */
const [SCANNED, DELETED] = [100, 200]

export interface Deleted {
  versions: number
  /** The changed texts deleted with them. */
  changes: number
  /** The id of the revision to continue after; undefined at the end. */
  after: string | undefined
}

/**
 * Deletes versions that were superseded before `before` (an ISO timestamp), of entities with revisions after the id
 * `after`, as many as fit into one transaction. The oldest version that remains is first stored as a full snapshot.
 * Assets keep all versions, which name their replaced files.
 */
export async function deleteVersions(tx: Transaction, before: string, after: string): Promise<Deleted> {
  const scanned = await tx
    .selectFrom('revisions')
    .select(['_id', 'entityId'])
    .where('_id', '>', after)
    .where('_id', '<', firstIdAt(Date.parse(before) + MAX_SKEW_MS))
    .where('createdAt', '<', before)
    .where('entityType', '!=', 'Asset')
    .orderBy('_id')
    .limit(SCANNED)
    .execute()
  const ids = [...new Set(scanned.map(({ entityId }) => entityId))]
  const found = { versions: 0, changes: 0 }
  for (const { entityId, oldest, last } of await spansOf(tx, ids, before)) {
    const to = Math.min(last, oldest + DELETED - found.versions)
    if (to > oldest) {
      // Versions are missing, as while a partition is detached: the rest of them is kept.
      if (!(await makeWhole(tx, entityId, to))) continue
      const deleted = await deleteBelow(tx, entityId, to)
      found.versions += deleted.versions
      found.changes += deleted.changes
    }
    // The rest is deleted next time, starting from the same place.
    if (to < last) return { ...found, after }
  }
  return { ...found, after: scanned.length < SCANNED ? undefined : scanned.at(-1)?._id }
}

/**
 * The entities that have versions to delete: each with its oldest, and with the last one before the cut-off, which
 * stays.
 */
const spansOf = (tx: Transaction, ids: string[], before: string) =>
  tx
    .selectFrom('revisions')
    .select(({ fn }) => ['entityId', fn.min<number>('version').as('oldest'), fn.max<number>('version').as('last')])
    .where(inList('entityId', ids))
    .where('createdAt', '<', before)
    .groupBy('entityId')
    .having(({ eb, fn }) => eb(fn.min('version'), '<', fn.max('version')))
    .orderBy('entityId')
    .execute()

/**
 * Stores the full snapshot of a version, since the deltas of later versions build on it. False if it cannot be read.
 */
async function makeWhole(tx: Transaction, entityId: string, version: number): Promise<boolean> {
  const snapshot = await snapshotAt(tx, entityId, version)
  if (!snapshot) return false
  await tx
    .updateTable('revisions')
    .set({ snapshot, delta: null })
    .where('entityId', '=', entityId)
    .where('version', '=', version)
    .where('delta', 'is not', null)
    .execute()
  return true
}

async function deleteBelow(tx: Transaction, entityId: string, version: number) {
  const below = tx.selectFrom('revisions').select('_id').where('entityId', '=', entityId).where('version', '<', version)
  const texts = await tx
    .deleteFrom('history')
    .where('revisionId', 'in', below)
    .returning(['entityType', 'isRolledBack'])
    .execute()
  for (const { entityType } of texts) incrementCounter(tx, `historyCount.${entityType}`, -1)
  incrementCounter(tx, 'rolledBackCount', -texts.filter(({ isRolledBack }) => isRolledBack).length)
  const { numDeletedRows } = await tx
    .deleteFrom('revisions')
    .where('entityId', '=', entityId)
    .where('version', '<', version)
    .executeTakeFirstOrThrow()
  return { versions: Number(numDeletedRows), changes: texts.length }
}

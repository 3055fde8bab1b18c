// Versions of entities that are older than they are kept. What an entity was at the cut-off, and all that it became since,
// stays: so a state that lasted until yesterday is not old, however long ago it was written.
import type { Transaction } from '#database/db.ts'
import { oneOf } from '#database/oneOf.ts'
import { bump } from '#ledger/counters.ts'
import { snapshotAt } from '#ledger/snapshots.ts'
import { firstIdAt, MAX_SKEW_MS } from '#lib/ids.ts'

/** So many versions are looked at, and at most so many deleted, in one transaction. */
const [SCANNED, DELETED] = [100, 200]

export interface Deleted {
  versions: number
  /** Changed texts that went with them. */
  changes: number
  /** Where to go on, an id of a revision; undefined at the end. */
  after: string | undefined
}

/**
 * Deletes the versions that were over before a moment, of the entities whose revisions come after the id `after`, as many
 * as fit into one transaction. The oldest that stays is made whole first. Assets keep all of theirs: those know the
 * files that others took the place of.
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
      await makeWhole(tx, entityId, to)
      const gone = await deleteBelow(tx, entityId, to)
      found.versions += gone.versions
      found.changes += gone.changes
    }
    // The rest of it next time, from the same place.
    if (to < last) return { ...found, after }
  }
  return { ...found, after: scanned.length < SCANNED ? undefined : scanned.at(-1)?._id }
}

/** Of some entities that have versions to delete: the oldest, and the last before the moment, which stays. */
const spansOf = (tx: Transaction, ids: string[], before: string) =>
  tx
    .selectFrom('revisions')
    .select(({ fn }) => ['entityId', fn.min<number>('version').as('oldest'), fn.max<number>('version').as('last')])
    .where(oneOf('entityId', ids))
    .where('createdAt', '<', before)
    .groupBy('entityId')
    .having(({ eb, fn }) => eb(fn.min('version'), '<', fn.max('version')))
    .orderBy('entityId')
    .execute()

/** Has a version hold its whole document: those after it are put together from it. */
async function makeWhole(tx: Transaction, entityId: string, version: number): Promise<void> {
  const snapshot = await snapshotAt(tx, entityId, version)
  if (!snapshot) throw new Error(`Version ${version} of ${entityId} cannot be read`)
  await tx
    .updateTable('revisions')
    .set({ snapshot, delta: null })
    .where('entityId', '=', entityId)
    .where('version', '=', version)
    .where('delta', 'is not', null)
    .execute()
}

async function deleteBelow(tx: Transaction, entityId: string, version: number) {
  const below = tx.selectFrom('revisions').select('_id').where('entityId', '=', entityId).where('version', '<', version)
  const texts = await tx
    .deleteFrom('history')
    .where('revisionId', 'in', below)
    .returning(['entityType', 'isRolledBack'])
    .execute()
  for (const { entityType } of texts) bump(tx, `historyCount.${entityType}`, -1)
  bump(tx, 'rolledBackCount', -texts.filter(({ isRolledBack }) => isRolledBack).length)
  const { numDeletedRows } = await tx
    .deleteFrom('revisions')
    .where('entityId', '=', entityId)
    .where('version', '<', version)
    .executeTakeFirstOrThrow()
  return { versions: Number(numDeletedRows), changes: texts.length }
}

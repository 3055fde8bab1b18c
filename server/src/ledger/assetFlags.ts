import type { Kysely } from 'kysely'
import { inList } from '#database/inList.ts'
import { lateWrite, advisoryLocks, type Transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import type { Tables } from '#database/tables.ts'
import { incrementCounter } from './counters.ts'

export type AssetFlag = Tables['assetFlags']

const pendingIn = lateWrite<Set<string>>('assetFlags', () => new Set(), settle)

/**
 * Recomputes the flags of assets at the end of the transaction: after they were created, deleted, restored, failed, or
 * were linked or unlinked.
 */
export function flagAssets(tx: Transaction, ids: string[]): void {
  for (const id of ids) pendingIn(tx).add(id)
}

/** The names of the counters for the number of assets with a flag, and for their bytes. */
export const flagCounters = (flag: AssetFlag['flag']) => ({
  count: `assetFlagCount.${flag}`,
  size: `assetFlagSize.${flag}`,
})

async function settle(tx: Transaction, pending: Set<string>): Promise<void> {
  const ids = [...pending]
  await advisoryLocks(tx, 'asset flags', ids)
  const stored = await tx.selectFrom('assetFlags').selectAll().where(inList('assetId', ids)).execute()
  const wanted = new Map((await flagsOf(tx, ids)).map((row) => [nameOf(row), row]))
  const gone = stored.filter((row) => !wanted.delete(nameOf(row)))
  for (const { assetId, flag } of gone)
    await tx.deleteFrom('assetFlags').where('assetId', '=', assetId).where('flag', '=', flag).execute()
  const added = [...wanted.values()]
  await insertRows(tx, 'assetFlags', added)
  for (const row of gone) count(tx, row, -1)
  for (const row of added) count(tx, row, 1)
}

/** The flags that assets should have; those in the trash have none. */
export async function flagsOf(tx: Pick<Kysely<Tables>, 'selectFrom'>, ids: string[]): Promise<AssetFlag[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('assets')
    .select(['_id', 'size', 'status'])
    .where(inList('_id', ids))
    .where('deletedAt', 'is', null)
    .execute()
  const links = await tx.selectFrom('links').select('toId').distinct().where(inList('toId', ids)).execute()
  const used = new Set(links.map(({ toId }) => toId))
  return rows.flatMap(({ _id: assetId, size, status }) => [
    ...(used.has(assetId) ? [] : [{ flag: 'unused' as const, assetId, size }]),
    ...(status === 'ERROR' ? [{ flag: 'failed' as const, assetId, size }] : []),
  ])
}

/** The key of a row; it includes the size, so that a changed size replaces the row. */
export const nameOf = ({ flag, assetId, size }: AssetFlag): string => `${flag} ${assetId} ${size}`

function count(tx: Transaction, { flag, size }: AssetFlag, by: 1 | -1): void {
  const counters = flagCounters(flag)
  incrementCounter(tx, counters.count, by)
  incrementCounter(tx, counters.size, by * size)
}

import { type Expression, type ExpressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely'
import { inList } from '#database/inList.ts'
import { advisoryLocks, lateWrite, type Reader, type Transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import type { Tables } from '#database/tables.ts'
import { recheckPresent } from './checkedLinks.ts'
import { incrementCounter } from './counters.ts'

export type AssetFlag = Tables['assetFlags']

const pendingIn = lateWrite<Set<string>>('assetFlags', () => new Set(), settle)

/**
 * Recomputes the flags of assets at the end of the transaction: after they were created, deleted, restored, replaced,
 * failed, or were linked or unlinked.
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
  await lockUses(tx, ids)
  const trashed = await tx
    .selectFrom('assets')
    .select(['_id', 'deletedAt'])
    .where(inList('_id', ids))
    .where('deletedAt', 'is not', null)
    .execute()
  for (const { _id: id, deletedAt } of trashed) recheckPresent(tx, { kind: 'Asset', id }, deletedAt)
  const stored = await tx.selectFrom('assetFlags').selectAll().where(inList('assetId', ids)).execute()
  const missing = new Map((await flagsOf(tx, ids)).map((row) => [nameOf(row), row]))
  const obsolete = stored.filter((row) => !missing.delete(nameOf(row)))
  for (const { assetId, flag } of obsolete)
    await tx.deleteFrom('assetFlags').where('assetId', '=', assetId).where('flag', '=', flag).execute()
  const added = [...missing.values()]
  await insertRows(tx, 'assetFlags', added)
  for (const row of obsolete) count(tx, row, -1)
  for (const row of added) count(tx, row, 1)
}

/**
 * Locks the uses of assets: until the transaction ends, no other one that links or unlinks them, moves them to the trash
 * or restores them is committed.
 */
export const lockUses = (tx: Transaction, ids: string[]): Promise<void> => advisoryLocks(tx, 'asset flags', ids)

/** The flags that assets should have; those in the trash have none. */
export async function flagsOf(tx: Reader, ids: string[]): Promise<AssetFlag[]> {
  if (ids.length === 0) return []
  const present = tx.selectFrom('assets').where(inList('_id', ids)).where('deletedAt', 'is', null)
  const rows = await present.select(['_id', 'size', 'status']).execute()
  const unused = await present
    .select('_id')
    .where((asset) => asset.and(usesOf(asset).map(asset.not)))
    .execute()
  const unusedIds = new Set(unused.map(({ _id }) => _id))
  return rows.flatMap(({ _id: assetId, size, status }) => [
    ...(unusedIds.has(assetId) ? [{ flag: 'unused' as const, assetId, size }] : []),
    ...(status === 'ERROR' ? [{ flag: 'failed' as const, assetId, size }] : []),
  ])
}

/** The conditions under which an asset is used: one of them holds. Entities and accounts in the trash use nothing. */
export const usesOf = (asset: ExpressionBuilder<Tables, 'assets'>) => [
  asset.exists(asset.selectFrom('links').select('links.toId').whereRef('links.toId', '=', 'assets._id')),
  asset.exists(
    asset
      .selectFrom('users')
      .select('users._id')
      .where(hasAvatar(asset.ref('assets.storageKey'))),
  ),
]

/** Whether a row of `users` is outside the trash, and its avatar is the picture with this key, in any size. */
export function hasAvatar(storageKey: Expression<string>): RawBuilder<SqlBool> {
  const addresses = ['', '?size=small', '?size=medium'].map(
    (size) => sql`'/files/' || ${storageKey} || ${sql.lit(size)}`,
  )
  return sql`"users"."deletedAt" IS NULL AND "users"."avatar" IN (${sql.join(addresses)})`
}

/** Recomputes the flags of the pictures at these addresses, after they became avatars or no longer are. */
export async function flagAvatars(tx: Transaction, addresses: string[]): Promise<void> {
  const keys = keysIn(addresses)
  if (keys.length === 0) return
  const rows = await tx.selectFrom('assets').select('_id').where(inList('storageKey', keys)).execute()
  for (const { _id } of rows) flagAssets(tx, [_id])
}

/** Recomputes the flags of avatars that older servers, which did not count them as uses, have flagged as unused. */
export async function flagOldAvatars(tx: Transaction): Promise<void> {
  const rows = await tx
    .selectFrom('assetFlags')
    .innerJoin('assets', 'assets._id', 'assetFlags.assetId')
    .select('assetId')
    .where('flag', '=', 'unused')
    .where(({ exists, selectFrom, ref }) =>
      exists(
        selectFrom('users')
          .select('users._id')
          .where(hasAvatar(ref('assets.storageKey'))),
      ),
    )
    .execute()
  for (const { assetId } of rows) flagAssets(tx, [assetId])
}

/** The keys of the files at these addresses. */
const keysIn = (addresses: string[]): string[] =>
  addresses.flatMap((address) => /^\/files\/([^?]+)/.exec(address)?.[1] ?? [])

/** The key of a row; it includes the size, so that a changed size replaces the row. */
export const nameOf = ({ flag, assetId, size }: AssetFlag): string => `${flag} ${assetId} ${size}`

function count(tx: Transaction, { flag, size }: AssetFlag, by: 1 | -1): void {
  const counters = flagCounters(flag)
  incrementCounter(tx, counters.count, by)
  incrementCounter(tx, counters.size, by * size)
}

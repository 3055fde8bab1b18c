import { sql } from 'kysely'
import { transaction } from '#database/db.ts'
import { flagAssets, flagsOf, nameOf } from '#ledger/assetFlags.ts'
import { type Check, everyEntity, idsOf, type Inspect, orphanedRows, truncationIssue } from './check.ts'

/** Which assets are unused or failed. */
export const assetFlags: Check = {
  name: 'asset flags',
  run: async function* inspect() {
    yield* everyEntity(wrongFlags, ['Asset'])
    const orphaned = await orphanedRows(sql`SELECT DISTINCT "assetId" AS "id" FROM "assetFlags"
      WHERE NOT EXISTS (SELECT 1 FROM "assets" WHERE "_id" = "assetId")`)
    for (const { id } of orphaned) yield { what: `Asset ${id}: has flags but does not exist`, repair: () => repair(id) }
    yield* truncationIssue(orphaned)
  },
}

const wrongFlags: Inspect = async (tx, _kind, rows) => {
  const ids = idsOf(rows)
  const stored = await tx.selectFrom('assetFlags').selectAll().where('assetId', 'in', ids).execute()
  const [is, should] = [namesOf(stored), namesOf(await flagsOf(tx, ids))]
  return ids
    .filter((id) => is.get(id) !== should.get(id))
    .map((id) => ({ what: `Asset ${id}: its stored flags are wrong`, repair: () => repair(id) }))
}

const namesOf = (rows: Parameters<typeof nameOf>[0][]): Map<string, string> =>
  new Map(
    [...Map.groupBy(rows, ({ assetId }) => assetId)].map(([id, each]) => [id, each.map(nameOf).toSorted().join()]),
  )

const repair = (id: string): Promise<void> => transaction(async (tx) => flagAssets(tx, [id]))

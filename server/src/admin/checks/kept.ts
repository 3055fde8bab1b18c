import type { Kysely } from 'kysely'
import { locked, type Transaction, transaction } from '#lib/db.ts'
import type { Meta, Tables } from '#lib/tables.ts'
import { tally } from '../../ratings/tally.ts'
import { type Check, difference, everyEntity, idsOf } from './check.ts'

type Uses = Pick<Tables['tags'], 'usageCount' | 'mediaCount' | 'characterCount'>
type Rated = ReturnType<typeof tally>

/** How often each tag is used. */
export const tagUses: Check = {
  name: 'uses of tags',
  look: () =>
    everyEntity(
      async (tx, _, rows) => {
        const right = await usesOf(tx, idsOf(rows))
        return faultsIn(rows, right, NO_USES, (id) => mendTag(id), 'Tag')
      },
      ['Tag'],
    ),
}

/** The average of each media, and what it is from. */
export const averages: Check = {
  name: 'ratings of media',
  look: () =>
    everyEntity(
      async (tx, _, rows) => {
        const right = await ratedIn(tx, idsOf(rows))
        return faultsIn(rows, right, tally([]), (id) => mendMedia(id), 'Media')
      },
      ['Media'],
    ),
}

const NO_USES: Uses = { usageCount: 0, mediaCount: 0, characterCount: 0 }

function faultsIn<T extends object>(
  rows: Meta[],
  right: Map<string, T>,
  none: T,
  repair: (id: string) => Promise<void>,
  kind: string,
) {
  return rows.flatMap((row) => {
    const wrong = difference(row, right.get(row._id) ?? none)
    return wrong ? [{ what: `${kind} ${row._id}: ${wrong}`, repair: () => repair(row._id) }] : []
  })
}

async function usesOf(tx: Kysely<Tables>, ids: string[]): Promise<Map<string, Uses>> {
  const counts = await tx
    .selectFrom('links')
    .select(({ fn }) => ['toId', 'fromKind', fn.countAll<number>().as('n')])
    .where('toId', 'in', ids)
    .where('fromKind', 'in', ['Media', 'Character'])
    .groupBy(['toId', 'fromKind'])
    .execute()
  const by = Map.groupBy(counts, ({ toId }) => toId)
  return new Map(
    [...by].map(([id, rows]) => {
      const of = (kind: string) => rows.find(({ fromKind }) => fromKind === kind)?.n ?? 0
      const [mediaCount, characterCount] = [of('Media'), of('Character')]
      return [id, { usageCount: mediaCount + characterCount, mediaCount, characterCount }]
    }),
  )
}

async function ratedIn(tx: Kysely<Tables>, ids: string[]): Promise<Map<string, Rated>> {
  const counts = await tx
    .selectFrom('ratings')
    .select(({ fn }) => ['mediaId', 'score', fn.countAll<number>().as('count')])
    .where('mediaId', 'in', ids)
    .where('deletedAt', 'is', null)
    .groupBy(['mediaId', 'score'])
    .execute()
  return new Map([...Map.groupBy(counts, ({ mediaId }) => mediaId)].map(([id, scores]) => [id, tally(scores)]))
}

const mendTag = (id: string): Promise<void> =>
  mend('tags', id, async (tx) => (await usesOf(tx, [id])).get(id) ?? NO_USES)

const mendMedia = (id: string): Promise<void> =>
  mend('media', id, async (tx) => (await ratedIn(tx, [id])).get(id) ?? tally([]))

/** The row is locked before its numbers are counted: who has changed them is waited for. */
const mend = (table: 'tags' | 'media', id: string, count: (tx: Transaction) => Promise<object>): Promise<void> =>
  transaction(async (tx) => {
    const row = tx.selectFrom(table).select('_id').where('_id', '=', id)
    await (locked(row as never) as typeof row).execute()
    await tx
      .updateTable(table)
      .set((await count(tx)) as never)
      .where('_id', '=', id)
      .execute()
  })

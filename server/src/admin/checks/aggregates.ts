import type { Kysely } from 'kysely'
import { locked, transaction } from '#database/db.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { addUses, NO_USES, type TagUses } from '#ledger/counters.ts'
import { tally } from '../../ratings/tally.ts'
import { type Check, difference, everyEntity, type Issue, idsOf, type Inspect } from './check.ts'

type Rated = ReturnType<typeof tally>

/** The use counts of tags. */
export const tagUses = kept('uses of tags', 'Tag', usesOf, NO_USES)

/** The average rating of each media item, and the numbers it is computed from. */
export const averages = kept('ratings of media', 'Media', ratedIn, tally([]))

/**
 * Checks numbers stored with each entity of a kind: `count` recounts them, and `none` are those of an entity without
 * any.
 */
function kept<Numbers extends object>(
  name: string,
  kind: 'Tag' | 'Media',
  count: (tx: Kysely<Tables>, ids: string[]) => Promise<Map<string, Numbers>>,
  none: Numbers,
): Check {
  const table = TABLES[kind]
  /** Locks the row before counting, and so waits for transactions that have changed its numbers. */
  const repair = (id: string): Promise<void> =>
    transaction(async (tx) => {
      await locked(tx.selectFrom(table).select('_id').where('_id', '=', id)).execute()
      const numbers = (await count(tx, [id])).get(id) ?? none
      await tx.updateTable(table).set(numbers).where('_id', '=', id).execute()
    })
  const inspect: Inspect = async (tx, _, rows) => {
    const right = await count(tx, idsOf(rows))
    return rows.flatMap((row): Issue[] => {
      const wrong = difference(row, right.get(row._id) ?? none)
      return wrong ? [{ what: `${kind} ${row._id}: ${wrong}`, repair: () => repair(row._id) }] : []
    })
  }
  return { name, run: () => everyEntity(inspect, [kind]) }
}

async function usesOf(tx: Kysely<Tables>, ids: string[]): Promise<Map<string, TagUses>> {
  const counts = await tx
    .selectFrom('links')
    .select(({ fn }) => ['toId', 'fromKind', fn.countAll<number>().as('n')])
    .where('toId', 'in', ids)
    .where('fromKind', '!=', 'Tag')
    .groupBy(['toId', 'fromKind'])
    .execute()
  const uses = new Map<string, TagUses>()
  for (const { toId, fromKind, n } of counts) uses.set(toId, addUses(uses.get(toId), fromKind, n))
  return uses
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

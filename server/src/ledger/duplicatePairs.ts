// Pairs of likely duplicates, maintained by the writes that create or separate them.
import type { Translated } from '@mokuroku/contract/kinds'
import type { Kysely } from 'kysely'
import { inList } from '#database/inList.ts'
import type { Transaction } from '#database/db.ts'
import { insertRows } from '#database/insert.ts'
import type { Tables } from '#database/tables.ts'
import { incrementCounter } from './counters.ts'
import { statement } from '#database/statement.ts'
import { type Neighbours, neighboursOf } from './titleKeys.ts'

export type DuplicatePair = Tables['duplicatePairs']

/** The maximum number of pairs in one statement. */
const PAIRS_PER_STATEMENT = 500

/** The name of the counter for the pairs of a kind. */
export const pairCounter = (kind: Translated): string => `duplicateCount.${kind}`

/** The pairs that entities should be part of, without repetitions; the lesser id comes first. */
export const pairsAmong = async (tx: Kysely<Tables>, ids: string[]): Promise<DuplicatePair[]> =>
  pairsOf(await neighboursOf(tx, ids))

/** The pairs of neighbouring entities. */
export function pairsOf(neighbours: Neighbours[]): DuplicatePair[] {
  const pairs = neighbours.flatMap(({ id, kind: entityType, near }) =>
    near.map((other) => ({
      entityType,
      first: id < other ? id : other,
      second: id < other ? other : id,
    })),
  )
  return [...new Map(pairs.map((pair) => [pairName(pair), pair])).values()]
}

/** The stored pairs that entities are part of. */
export async function storedPairs(tx: Kysely<Tables>, ids: string[]): Promise<DuplicatePair[]> {
  return [...new Map((await pairsWith(tx, ids)).map((pair) => [pairName(pair), pair])).values()]
}

const pairsWith = statement((from, ids: string[]) => {
  const withOneAs = (place: 'first' | 'second') =>
    from.selectFrom('duplicatePairs').selectAll().where(inList(place, ids))
  return withOneAs('first').unionAll(withOneAs('second'))
})

/** Replaces the stored pairs by the expected ones, writes only the differences, and counts them. */
export async function writePairs(tx: Transaction, stored: DuplicatePair[], expected: DuplicatePair[]): Promise<void> {
  const missing = new Map(expected.map((pair) => [pairName(pair), pair]))
  const removed = stored.filter((pair) => !missing.delete(pairName(pair)))
  for (let at = 0; at < removed.length; at += PAIRS_PER_STATEMENT) {
    const some = removed.slice(at, at + PAIRS_PER_STATEMENT)
    await tx
      .deleteFrom('duplicatePairs')
      .where((pair) => pair.or(some.map(({ first, second }) => pair.and({ first, second }))))
      .execute()
  }
  const added = [...missing.values()]
  await insertRows(tx, 'duplicatePairs', added)
  for (const { entityType } of removed) incrementCounter(tx, pairCounter(entityType), -1)
  for (const { entityType } of added) incrementCounter(tx, pairCounter(entityType), 1)
}

/** The key of a pair. */
export const pairName = ({ first, second }: DuplicatePair): string => `${first} ${second}`

import type { SelectQueryBuilder } from 'kysely'
import { db } from './db.ts'

/** How many rows a query finds, counted up to `limit`. */
export async function countUpTo<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  limit: number,
): Promise<number> {
  const { count } = await db
    .selectFrom(rows.limit(limit).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

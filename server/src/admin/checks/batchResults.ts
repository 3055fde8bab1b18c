import { BATCH_OUTCOMES } from '@mokuroku/contract/batches'
import { sql } from 'kysely'
import { locked, transaction } from '#database/db.ts'
import { type Check, orphanedRows, truncationIssue } from './check.ts'

const counted = sql.join(
  BATCH_OUTCOMES.map(
    (outcome) =>
      sql`(SELECT count(*) FROM "batchRows" WHERE "batch" = "batches"."_id" AND "outcome" = ${sql.lit(outcome)})`,
  ),
)
const stored = sql.join(BATCH_OUTCOMES.map((outcome) => sql.ref(outcome)))

/** What a batch says of its results equals what they are. */
export const batchResults: Check = {
  name: 'results of batches',
  run: async function* inspect() {
    const wrong = await orphanedRows(
      sql`SELECT "_id" AS "id", '' AS "from" FROM "batches" WHERE (${stored}) <> (${counted})`,
    )
    for (const { id } of wrong)
      yield { what: `Batch ${id}: it has other results than it counts`, repair: () => recount(id) }
    yield* truncationIssue(wrong)
  },
}

/** The row is locked before its results are counted, as by a job that adds some. */
const recount = (id: string): Promise<void> =>
  transaction(async (tx) => {
    await locked(tx.selectFrom('batches').select('_id').where('_id', '=', id)).execute()
    await sql`UPDATE "batches" SET (${stored}) = (SELECT ${counted}) WHERE "_id" = ${id}`.execute(tx)
  })

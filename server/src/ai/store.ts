import type { AiRun } from '@mokuroku/contract/provenance'
import type { Actor } from '#access/permissions.ts'
import { transactionAs } from '#access/session.ts'
import { db } from '#database/db.ts'
import { deleteRows } from '#database/deleteRows.ts'
import { countWrite } from '#ledger/writeLimit.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'
import type { Answered } from '#database/tables.ts'

/** How long runs are kept, in days: as long as somebody may still save parts of an answer. */
const RUN_DAYS = 30

/** The API call that requested an answer. */
export type CallName = 'media' | 'enhance' | 'standardize' | 'search' | 'test'

export const runs = {
  /** Inserts a run for an answer in progress; its token counts are estimates until it is finished. */
  start: async (run: AiRun, caller: Actor, call: CallName): Promise<void> => {
    await transactionAs(caller, async (tx, actor) => {
      await countWrite(tx, actor, run)
      await tx
        .insertInto('aiRuns')
        .values({ ...run, userId: actor._id, call, outcome: 'begun', answers: [] })
        .execute()
    })
  },

  /** Stores the outcome: 'done', or the code of what went wrong. */
  finish: async ({ _id, ...run }: AiRun, outcome: string, answers: Answered[]): Promise<void> => {
    await db
      .updateTable('aiRuns')
      .set({ ...run, outcome, answers })
      .where('_id', '=', _id)
      .execute()
  },

  /** The tokens that a user has spent since midnight (UTC), input and output. */
  tokensToday: async (userId: string): Promise<number> => {
    const { tokens } = await db
      .selectFrom('aiRuns')
      .select(({ fn, eb }) => fn.sum<number | null>(eb('inputTokens', '+', eb.ref('outputTokens'))).as('tokens'))
      .where('userId', '=', userId)
      .where('startedAt', '>=', `${now().slice(0, 10)}T00:00:00.000Z`)
      .executeTakeFirstOrThrow()
    return tokens ?? 0
  },

  /** Deletes runs that are too old to be kept. */
  deleteExpired: async (): Promise<void> => {
    await deleteRows(db, 'aiRuns', ['startedAt', '<', momentIn(-RUN_DAYS * DAY_MS)])
  },
}

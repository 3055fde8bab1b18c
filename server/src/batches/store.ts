import type { Actor } from '#access/permissions.ts'
import { transactionAs } from '#access/session.ts'
import { merge } from './merge.ts'
import { records } from './records.ts'
import { authorizeRollback, startBulk, startRollback } from './start.ts'
import { UNCHANGED } from './plannedResult.ts'
import { importWith } from './work.ts'

export type { StoredBatch } from './records.ts'
export type { BatchPlan, Plan } from './plannedResult.ts'

export const batches = {
  bulk: startBulk,
  rollback: startRollback,
  authorizeRollback,
  merge,
  list: records.list,
  find: records.find,
  results: records.results,
  rollbacksOf: records.rollbacksOf,

  /** Cancels a batch and returns its new state. Throws 409 if it is finished. */
  cancel: async (id: string, actor: Actor) => {
    await transactionAs(actor, (tx, current) => records.cancel(tx, id, current))
    return records.find(id, actor)
  },

  /** Adds a batch; the caller inserts its rows in the same transaction. Throws 429 like `bulk`. */
  begin: records.begin,
  addDone: records.addDone,
  importWith,
  unchanged: UNCHANGED,
}

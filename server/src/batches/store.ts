import type { Actor } from '#access/permissions.ts'
import { transaction } from '#database/db.ts'
import { records } from './records.ts'
import { startBulk, startRollback } from './start.ts'

export const batches = {
  bulk: startBulk,
  rollback: startRollback,
  list: records.list,
  find: records.find,
  results: records.results,

  /** Stops a batch, and answers what it has become. Throws 409 when it is finished. */
  cancel: async (id: string, actor: Actor) => {
    await transaction((tx) => records.cancel(tx, id, actor))
    return records.find(id, actor)
  },

  deleteExpired: records.deleteExpired,
}

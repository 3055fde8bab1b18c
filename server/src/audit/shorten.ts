import { SYSTEM } from '#access/permissions.ts'
import type { Transaction } from '#database/db.ts'
import { audit } from '#store/audit'

/** So many are deleted in one transaction. */
const DELETED = 500

/**
 * Has the audit log begin with the first entry from a moment on: keeps the number and the hash of the last before it, and
 * an entry that says so, by which the chain vouches for where it begins. The entries themselves `deleteGivenUp` takes away.
 * Answers how many there are less.
 */
export async function giveUpBefore(tx: Transaction, before: string): Promise<number> {
  // Nobody adds an entry meanwhile, and no other server does the same.
  const head = await tx
    .updateTable('auditHead')
    .set((set) => ({ seq: set.ref('seq') }))
    .returning(['seq', 'deletedSeq'])
    .executeTakeFirstOrThrow()
  const firstKept = await tx
    .selectFrom('audit')
    .select('seq')
    .where('seq', '>', head.deletedSeq)
    .where('createdAt', '>=', before)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  const last = await tx
    .selectFrom('audit')
    .select(['seq', 'hash'])
    .where('seq', '=', (firstKept?.seq ?? head.seq + 1) - 1)
    .where('seq', '>', head.deletedSeq)
    .executeTakeFirst()
  if (!last) return 0
  await tx.updateTable('auditHead').set({ deletedSeq: last.seq, deletedHash: last.hash }).execute()
  const count = last.seq - head.deletedSeq
  const details = { count, before, last: last.seq, hash: last.hash }
  audit.record(tx, { action: 'audit.deleted', actor: SYSTEM, details })
  return count
}

/** Deletes entries from before where the log begins, as many as fit into one transaction. Answers how many. */
export async function deleteGivenUp(tx: Transaction): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('audit')
    .where('seq', 'in', (of) =>
      of
        .selectFrom('audit')
        .select('seq')
        .where('seq', '<=', (from) => from.selectFrom('auditHead').select('deletedSeq'))
        .orderBy('seq')
        .limit(DELETED),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

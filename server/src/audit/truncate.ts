import type { Transaction } from '#database/db.ts'

/** Number of entries deleted per transaction. */
const CHUNK_SIZE = 500

/**
 * Makes the audit log begin at the first entry created at or after `before`: stores the number and hash of the entry
 * before it. Returns the details of an `audit.deleted` entry that the caller must record in the same transaction, so
 * that the chain vouches for its new beginning; undefined if no entry is that old. The entries are deleted by
 * `deleteTruncated`.
 */
export async function truncateBefore(tx: Transaction, before: string) {
  // Lock the head: nobody adds an entry meanwhile, and no other server does the same.
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
  if (!last) return undefined
  await tx.updateTable('auditHead').set({ deletedSeq: last.seq, deletedHash: last.hash }).execute()
  return { count: last.seq - head.deletedSeq, before, last: last.seq, hash: last.hash }
}

/** Deletes entries from before the log's beginning, as many as fit into one transaction. Returns how many. */
export async function deleteTruncated(tx: Transaction): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('audit')
    .where('seq', 'in', (of) =>
      of
        .selectFrom('audit')
        .select('seq')
        .where('seq', '<=', (from) => from.selectFrom('auditHead').select('deletedSeq'))
        .orderBy('seq')
        .limit(CHUNK_SIZE),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

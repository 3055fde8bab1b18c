import type { Transaction } from '#database/db.ts'

/** So many are deleted in one transaction. */
const DELETED = 500

/**
 * Has the audit log begin with the first entry from a moment on: keeps the number and the hash of the last before it.
 * Answers the details of the entry (`audit.deleted`) that has to say so in the same transaction, by which the chain vouches
 * for where it begins; nothing where none is so old. The entries themselves `deleteGivenUp` takes away.
 */
export async function giveUpBefore(tx: Transaction, before: string) {
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
  if (!last) return undefined
  await tx.updateTable('auditHead').set({ deletedSeq: last.seq, deletedHash: last.hash }).execute()
  return { count: last.seq - head.deletedSeq, before, last: last.seq, hash: last.hash }
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

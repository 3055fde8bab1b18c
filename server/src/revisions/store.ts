import type { Revision, RevisionQuery, RevisionRow } from '@mokuroku/contract/revisions'
import type * as z from 'zod/mini'
import { db } from '#database/db.ts'
import { snapshotsOf } from '#ledger/snapshots.ts'

const ROW = [
  '_id',
  'entityType',
  'entityId',
  'version',
  'action',
  'origin',
  'batch',
  'reason',
  'username',
  'userId',
  'paths',
  'provenance',
  'createdAt',
] as const

export const revisions = {
  /** A page of the revisions of an entity, newest first. */
  list: ({ entityType, entityId, limit, skip }: z.output<typeof RevisionQuery>): Promise<RevisionRow[]> =>
    db
      .selectFrom('revisions')
      .select(ROW)
      .where('entityId', '=', entityId)
      .where('entityType', '=', entityType)
      .orderBy('version', 'desc')
      .limit(limit)
      .offset(skip)
      .execute(),

  find: async (id: string): Promise<Revision | undefined> => {
    const [row, snapshots] = await Promise.all([
      db.selectFrom('revisions').select(ROW).where('_id', '=', id).executeTakeFirst(),
      snapshotsOf(db, [id]),
    ])
    const snapshot = snapshots.get(id)
    // Retention may have deleted it between the two queries.
    return row && snapshot && { ...row, snapshot }
  },
}

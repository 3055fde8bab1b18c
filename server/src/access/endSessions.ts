import { afterCommit, type Transaction } from '#database/db.ts'
import { now } from '#lib/clock.ts'
import { sessionsEnded } from './openStreams.ts'

/** Which sessions to end; all of them by default. */
interface Which {
  ids?: string[]
  userId?: string
  /** The session that stays open. */
  kept?: string | undefined
}

/**
 * Ends open sessions and expires their upload sessions; after the commit, also ends their streams and uploads in
 * progress. Every session that is ended early is ended here. One that expires by itself needs no such step, since its
 * upload sessions expire no later (`assets/uploadSessions.ts`). Received parts are deleted later by a sweep.
 */
export async function endSessions(tx: Transaction, { ids, userId, kept }: Which): Promise<boolean> {
  const at = now()
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ endedAt: at })
    .where('endedAt', 'is', null)
    .$if(ids !== undefined, (query) => query.where('_id', 'in', ids ?? []))
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? ''))
    .$if(kept !== undefined, (query) => query.where('_id', '!=', kept ?? ''))
    .executeTakeFirst()
  await tx
    .updateTable('uploads')
    .set({ expiresAt: at })
    .where('assetId', 'is', null)
    .where('expiresAt', '>', at)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sessions')
          .select('sessions._id')
          .whereRef('sessions._id', '=', 'uploads.sessionId')
          .where('sessions.endedAt', 'is not', null),
      ),
    )
    .execute()
  afterCommit(tx, sessionsEnded)
  return numUpdatedRows > 0n
}

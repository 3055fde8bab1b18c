import { afterCommit, type Transaction } from '#database/db.ts'
import { now } from '#lib/clock.ts'
import { sessionsEnded } from './openStreams.ts'

/** Which sessions end; all of them where nothing is said. */
interface Which {
  ids?: string[]
  userId?: string
  /** The one that goes on. */
  kept?: string | undefined
}

/**
 * Ends open sessions with their uploads in parts, and after the commit their streams and the calls that carry a file.
 * Every end of a session before its time comes here; one that expires takes its uploads with it, which expire no later
 * (`assets/uploadSessions.ts`). What has arrived of a file is swept later.
 */
export async function endSessions(tx: Transaction, { ids, userId, kept }: Which): Promise<void> {
  const at = now()
  await tx
    .updateTable('sessions')
    .set({ endedAt: at })
    .where('endedAt', 'is', null)
    .$if(ids !== undefined, (query) => query.where('_id', 'in', ids ?? []))
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? ''))
    .$if(kept !== undefined, (query) => query.where('_id', '!=', kept ?? ''))
    .execute()
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
}

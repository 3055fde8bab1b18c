import type { Session } from '@mokuroku/contract/auth'
import { db } from '#lib/db.ts'
import { now } from '#lib/ids.ts'

/** How many sessions of one user are shown. */
const SHOWN = 100

export const sessions = {
  /** Where a user is signed in now, latest first. */
  of: async (userId: string, current: string | undefined): Promise<Session[]> => {
    const rows = await db
      .selectFrom('sessions')
      .select(['_id', 'address', 'userAgent', 'createdAt', 'lastSeen', 'expiresAt'])
      .where('userId', '=', userId)
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', now())
      .orderBy('createdAt', 'desc')
      .limit(SHOWN)
      .execute()
    return rows.map((row) => ({ ...row, current: row._id === current }))
  },

  /** Whether a session is this user's, and not over. */
  isOf: async (userId: string, id: string): Promise<boolean> => {
    const query = db.selectFrom('sessions').select('_id').where('_id', '=', id).where('userId', '=', userId)
    return (await query.where('endedAt', 'is', null).executeTakeFirst()) !== undefined
  },
}

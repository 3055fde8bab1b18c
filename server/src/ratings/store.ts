import type { Rating } from '@mokuroku/contract/ratings'
import { sql } from 'kysely'
import { db } from '#lib/db.ts'
import { ledger } from '#lib/ledger.ts'
import type { RatingFields } from '#lib/tables.ts'

/** How many ratings of one media are shown at once. */
const SHOWN = 100

export const ratings = {
  ...ledger<RatingFields & Record<string, unknown>>({
    kind: 'Rating',
    fields: ['userId', 'mediaId', 'score', 'comment'],
    empty: { comment: '' },
    links: { mediaId: 'Media' },
    title: ({ score }) => score.toFixed(1),
    activity: (action) => (action === 'create' ? 'RATING_ADDED' : undefined),
    /** The average of a media is its sum by its count, both kept exactly: scores are counted in tenths. */
    derive: async (tx, _id, before, after) => {
      const mediaId = (after ?? before)?.mediaId
      const tenths = Math.round((after?.score ?? 0) * 10) - Math.round((before?.score ?? 0) * 10)
      const count = (after ? 1 : 0) - (before ? 1 : 0)
      await tx
        .updateTable('media')
        .set({
          ratingSum: sql`"ratingSum" + ${tenths}`,
          ratingCount: sql`"ratingCount" + ${count}`,
          averageRating: sql`CASE WHEN "ratingCount" + ${count} = 0 THEN 0 ELSE ("ratingSum" + ${tenths}) / (10.0 * ("ratingCount" + ${count})) END`,
        })
        .where('_id', '=', mediaId ?? '')
        .execute()
    },
  }),

  /** The newest ratings of a media, with who gave them. */
  ofMedia: async (mediaId: string): Promise<Rating[]> => {
    const rows = await db
      .selectFrom('ratings')
      .leftJoin('users', 'users._id', 'ratings.userId')
      .selectAll('ratings')
      .select(['users.username', 'users.avatar'])
      .where('ratings.mediaId', '=', mediaId)
      .where('ratings.deletedAt', 'is', null)
      .orderBy('ratings.createdAt', 'desc')
      .limit(SHOWN)
      .execute()
    return rows.map(({ username, avatar, ...row }) => ({
      ...row,
      userId: username === null ? row.userId : { _id: row.userId, username, avatar: avatar ?? '', fullName: username },
    }))
  },
}

import type { Rating, RatingQuery } from '@mokuroku/contract/ratings'
import { MAX_TOTAL } from '@mokuroku/contract/lists'
import { reasonText } from '@mokuroku/contract/reasons'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { recheckPresent } from '#ledger/checkedLinks.ts'
import { countersOf } from '#ledger/counters.ts'
import { countUpTo } from '#database/countUpTo.ts'
import { eachTogether } from '#database/executor.ts'
import { inList } from '#database/inList.ts'
import { db, lateWrite, send, type Transaction } from '#database/db.ts'
import { Refusal } from '#lib/errors.ts'
import { orderByIds } from '#lib/orderByIds.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { ledger } from '#ledger/ledger.ts'
import { lockRows } from '#database/locks.ts'
import type { MediaFields, RatingFields } from '#database/tables.ts'
import { titled, titlesOf } from '#ledger/texts.ts'
import { search } from '#store/search'
import { checkComment } from './comment.ts'
import { binOf, tenthsOf } from './tally.ts'

type Fields = RatingFields & Record<string, unknown>

/** A search is for the ratings of at most this many media, and of as many users. */
const MAX_FOUND = 500

export const ratings = {
  ...ledger<Fields>({
    kind: 'Rating',
    fields: ['userId', 'mediaId', 'score', 'comment'],
    empty: { comment: '' },
    links: { mediaId: 'Media' },
    title: ({ score }) => score.toFixed(1),
    about: async (tx, { mediaId }) => {
      const media = await tx
        .selectFrom('media')
        .select(['translations', 'originalTitle'])
        .where('_id', '=', mediaId)
        .executeTakeFirst()
      return {
        entityType: 'Media',
        entityId: mediaId,
        title: titled('Media').title(media ?? { translations: {} }),
      }
    },
    inTrash: titlesOfMedia,
    activity: (action) => (action === 'create' ? 'RATING_ADDED' : undefined),
    check: async (tx, id, before, after, { actor }, trashed) => {
      if (!after) return
      // What the actor may not write now may have been written when more was allowed, or by a moderator.
      if (after.comment !== (before ?? trashed)?.comment) checkComment(after.comment, actor)
      if (before?.mediaId !== after.mediaId) await assertNotRatedYet(tx, id, after)
    },
    derive: async (tx, _id, before, after) => {
      if (before) countRating(tx, before, -1)
      if (after) countRating(tx, after, 1)
    },
  }),

  /** A page, newest first, and the total: a counter, or with a search the number of matches, up to `MAX_TOTAL` + 1. */
  list: async ({ page, limit, search: text }: z.output<typeof RatingQuery>) => {
    const found = text ? await matching(text) : present()
    const [rows, total] = await Promise.all([
      found
        .select('_id')
        .orderBy('createdAt', 'desc')
        .orderBy('_id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute(),
      text
        ? countUpTo(found.select('_id'), MAX_TOTAL + 1)
        : countersOf(db, ['ratingCount']).then(({ ratingCount = 0 }) => ratingCount),
    ])
    return { ratings: await byIds(rows), pagination: { total, pages: Math.ceil(total / limit), page, limit } }
  },

  /** A page of the ratings of a media item, newest first; with `userId`, only that user's. */
  ofMedia: async (mediaId: string, page: number, limit: number, userId?: string): Promise<Rating[]> =>
    byIds(
      await db
        .selectFrom('ratings')
        .select('_id')
        .where('mediaId', '=', mediaId)
        .where('deletedAt', 'is', null)
        .$if(userId !== undefined, (where) => where.where('userId', '=', userId ?? ''))
        .orderBy('createdAt', 'desc')
        .orderBy('_id', 'desc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute(),
    ),

  /**
   * Moves the ratings of one media item to another. If a user has rated both, the newer rating stays, and the other
   * goes to the trash.
   */
  moveTo: async (
    tx: Transaction,
    mediaId: string,
    from: string,
    context: WriteContext,
    limit: number,
  ): Promise<void> => {
    const present = tx.selectFrom('ratings').select(['_id', 'userId', 'updatedAt']).where('deletedAt', 'is', null)
    const moved = await present.where('mediaId', '=', from).orderBy('_id').limit(limit).execute()
    const users = tx.selectFrom('ratings').select('userId').where('mediaId', '=', from).where('deletedAt', 'is', null)
    const there = await present.where('mediaId', '=', mediaId).where('userId', 'in', users).execute()
    await lockRows(
      tx,
      [...moved, ...there].map(({ _id: id }) => ({ kind: 'Rating', id })),
    )
    const thereBy = new Map(there.map((row) => [row.userId, row]))
    const stays = moved.filter((row) => row.updatedAt > (thereBy.get(row.userId)?.updatedAt ?? ''))
    const losers = moved.flatMap((row) => (stays.includes(row) ? (thereBy.get(row.userId) ?? []) : row))
    await eachTogether(losers, ({ _id: id }) => ratings.removeIn(tx, id, context))
    await eachTogether(stays, ({ _id: id }) => ratings.updateIn(tx, id, { mediaId }, context))
  },

  find: async (id: string): Promise<Rating | undefined> => (await byIds([{ _id: id }]))[0],
}

const present = () => db.selectFrom('ratings').where('deletedAt', 'is', null)

/**
 * The ratings of the media and by the users that a search finds best; of those that only resemble it, if there are no
 * others. Each of the two lists is read from its own index: of a condition with both, PostgreSQL would check all ratings.
 */
async function matching(text: string) {
  const found = await Promise.all([search.find('Media', text, MAX_FOUND), search.find('User', text, MAX_FOUND, '')])
  const asTyped = found.map(({ matches, isPartial }) =>
    isPartial ? [] : matches.filter(({ kind }) => kind !== 'typo'),
  )
  const best = asTyped.some(({ length }) => length > 0) ? asTyped : found.map(({ matches }) => matches)
  const [media = [], users = []] = best.map((matches) => matches.map(({ entityId }) => entityId))
  const among = (column: 'mediaId' | 'userId', ids: string[]) =>
    present().select(['_id', 'createdAt']).where(inList(column, ids))
  return db.selectFrom(among('mediaId', media).union(among('userId', users)).as('ratings'))
}

/** The titles of ratings in the trash: those of their media. */
async function titlesOfMedia(rows: Pick<Fields, 'mediaId' | 'score'>[]) {
  const ids = [...new Set(rows.map(({ mediaId }) => mediaId))]
  const media = await db
    .selectFrom('media')
    .select(['_id', 'translations', 'originalTitle'])
    .where('_id', 'in', ids)
    .execute()
  const byId = new Map(media.map((row) => [row._id, row]))
  return rows.map(({ mediaId, score }) => ({
    ...titlesOf('Media', byId.get(mediaId) ?? { translations: {} }),
    score,
  }))
}

/** Ratings with their users and media, in the order of the ids; those in the trash are left out. */
async function byIds(refs: { _id: string }[]): Promise<Rating[]> {
  const ids = refs.map(({ _id }) => _id)
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('ratings')
    .leftJoin('users', (join) => join.onRef('users._id', '=', 'ratings.userId').on('users.deletedAt', 'is', null))
    .leftJoin('media', 'media._id', 'ratings.mediaId')
    .selectAll('ratings')
    .select(['users.username', 'users.avatar', 'media.translations', 'media.mediaType', 'media.deletedAt as goneSince'])
    .where('ratings._id', 'in', ids)
    .where('ratings.deletedAt', 'is', null)
    .execute()
  const shown = rows.map(({ username, avatar, translations, mediaType, goneSince, ...row }) => ({
    ...row,
    userId: username ? { _id: row.userId, username, avatar: avatar ?? '', fullName: username } : row.userId,
    mediaId:
      translations && mediaType
        ? { _id: row.mediaId, translations: goneSince ? titlesIn(translations) : translations, mediaType }
        : row.mediaId,
  }))
  return orderByIds(ids, shown)
}

/** Leaves only the titles, for media in the trash. */
const titlesIn = (translations: MediaFields['translations']): MediaFields['translations'] =>
  Object.fromEntries(Object.entries(translations).map(([tag, { title }]) => [tag, { title, description: '' }]))

/**
 * Throws if the user already has another rating of the media. The media item is locked before, as it will be to count
 * the rating: two ratings by one user at the same moment see each other.
 */
async function assertNotRatedYet(tx: Transaction, id: string, { userId, mediaId }: RatingFields): Promise<void> {
  await lockRows(tx, [{ kind: 'Media', id: mediaId }])
  const other = await tx
    .selectFrom('ratings')
    .select('_id')
    .where('userId', '=', userId)
    .where('mediaId', '=', mediaId)
    .where('_id', '!=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (other) throw new Refusal(409, 'duplicate', reasonText('rated'))
}

/** By how much a transaction changes the number of a media item's ratings, their sum in tenths, and each bin. */
interface StatsChange {
  count: number
  tenths: number
  bins: number[]
}

/**
 * Collected until the end of the transaction: a merge moves thousands of ratings of one media item, and PostgreSQL reads
 * all versions of a row that a transaction has written to find the last.
 */
const statsIn = lateWrite<Map<string, StatsChange>>('ratings', () => new Map(), writeRatingStats)

/** Counts a rating that is added to a media item or removed from it. */
function countRating(tx: Transaction, { mediaId, score }: RatingFields, by: 1 | -1): void {
  const stats = statsIn(tx)
  const change = stats.get(mediaId) ?? { count: 0, tenths: 0, bins: [] }
  stats.set(mediaId, change)
  change.count += by
  change.tenths += by * tenthsOf(score)
  change.bins[binOf(score)] = (change.bins[binOf(score)] ?? 0) + by
}

/**
 * Updates the counts and sums of the ratings of media, from which their averages follow. Both are exact, since scores
 * are counted in tenths.
 */
async function writeRatingStats(tx: Transaction, stats: Map<string, StatsChange>): Promise<void> {
  const ids = [...stats.keys()]
  await lockRows(
    tx,
    ids.map((id) => ({ kind: 'Media', id })),
  )
  const columns = ['_id', 'ratingHistogram', 'deletedAt'] as const
  const found = await tx.selectFrom('media').select(columns).where(inList('_id', ids)).execute()
  for (const { _id, ratingHistogram, deletedAt } of found) {
    recheckPresent(tx, { kind: 'Media', id: _id }, deletedAt)
    const { count, tenths, bins } = stats.get(_id) ?? { count: 0, tenths: 0, bins: [] }
    const set = {
      ratingHistogram: ratingHistogram.map((before, bin) => before + (bins[bin] ?? 0)),
      ratingSum: sql<number>`"ratingSum" + ${tenths}`,
      ratingCount: sql<number>`"ratingCount" + ${count}`,
      averageRating: sql<number>`CASE WHEN "ratingCount" + ${count} = 0 THEN 0
        ELSE ("ratingSum" + ${tenths}) / (10.0 * ("ratingCount" + ${count})) END`,
    }
    send(tx, tx.updateTable('media').set(set).where('_id', '=', _id))
  }
}

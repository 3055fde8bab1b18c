import type { Translated } from '@mokuroku/contract/kinds'
import {
  MAX_NOTIFICATIONS,
  type NewNotification,
  type Notification,
  NOTIFICATION_DAYS,
  type ReadInput,
} from '@mokuroku/contract/notifications'
import type { Actor } from '#access/permissions.ts'
import { transactionAs } from '#access/session.ts'
import { afterCommit, db, lateWrite, type Transaction } from '#database/db.ts'
import { deleteRows } from '#database/deleteRows.ts'
import { inList } from '#database/inList.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import type { WriteContext } from '#ledger/definition.ts'
import { presentNames } from '#ledger/presentNames.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow } from '#ledger/rows.ts'
import type { Tables } from '#database/tables.ts'
import { publish } from './subscribers.ts'

/** The state of a user's notifications: the last number given, and how often some were marked as read. */
export type Position = Pick<Tables['inboxes'], 'seq' | 'marks'>

/** A notification with its sequence number. */
export type Numbered = Notification & { seq: number }

/** How much of a comment a notification quotes, in characters. */
const MAX_QUOTE_CHARS = 200

/** What a notification quotes of a comment. */
export const quoteOf = (text: string): string => Array.from(text).slice(0, MAX_QUOTE_CHARS).join('')

/** A text that was rolled back, and its author. */
export type RevertedText = Pick<Tables['history'], 'entityType' | 'entityId' | 'language' | 'field' | 'updatedById'>

const pendingNotifications = lateWrite<(NewNotification & { to: string })[]>(
  'inboxes',
  () => [],
  async (tx, news) => {
    const byUser = Map.groupBy(news, ({ to }) => to)
    // Always in the same order, so that two transactions do not deadlock.
    for (const userId of await activeUserIds(tx, [...byUser.keys()].toSorted()))
      await insertNotifications(tx, userId, byUser.get(userId) ?? [])
  },
)

export const notifications = {
  /** Notifies users, at the end of the transaction. Users without an active account are left out. */
  notify: (tx: Transaction, news: (NewNotification & { to: string })[]): void =>
    void pendingNotifications(tx).push(...news),

  /**
   * Notifies the authors of texts that were rolled back: each once, except the actor. The notification names one of the
   * texts, by the title of its entity.
   */
  notifyRollback: async (
    tx: Transaction,
    taken: RevertedText[],
    { actor, reason = '' }: WriteContext,
  ): Promise<void> => {
    const news = []
    for (const [to, theirs] of Map.groupBy(taken, ({ updatedById }) => updatedById)) {
      const [first] = theirs
      if (!first || to === null || to === actor._id) continue
      const { entityId, language, field } = first
      const entityType = first.entityType as Translated
      const definition = definitionOf(entityType)
      const row = await findRow(definition, entityId, tx)
      const title = row ? definition.title(row) : ''
      const data = { by: actor.username, reason, count: theirs.length, entityType, entityId, title, language, field }
      news.push({ to, kind: 'CHANGES_ROLLED_BACK' as const, data })
    }
    notifications.notify(tx, news)
  },

  /** Those of the users who were notified that this comment mentions them. */
  notifiedOfMention: async (tx: Transaction, commentId: string, userIds: string[]): Promise<Set<string>> => {
    if (userIds.length === 0) return new Set()
    const rows = await tx
      .selectFrom('notifications')
      .select('userId')
      .where('userId', 'in', userIds)
      .where('kind', '=', 'COMMENTED')
      .where('data', 'like', `%"commentId":"${commentId}"%"mentioned":true%` as never)
      .execute()
    return new Set(rows.map(({ userId }) => userId))
  },

  /** The user's newest notifications, latest first. */
  latest: async (userId: string, limit: number): Promise<Notification[]> => {
    const found = (await notificationsFor(userId).orderBy('seq', 'desc').limit(limit).execute()) as Numbered[]
    const [rows, names] = await Promise.all([
      withQuotes(found),
      presentNames(found.flatMap(({ data }) => ('entityId' in data ? [data] : []))),
    ])
    return rows.map((row) => {
      const { data } = row
      return 'entityId' in data ? ({ ...row, data: { ...data, ...names.get(data.entityId) } } as Numbered) : row
    })
  },

  /** The user's next notifications after a number, in order. */
  after: async (userId: string, seq: number, limit: number): Promise<Numbered[]> =>
    withQuotes(
      (await notificationsFor(userId).where('seq', '>', seq).orderBy('seq').limit(limit).execute()) as Numbered[],
    ),

  /** The number of unread notifications; it is limited by how many are kept. */
  unread: async (userId: string): Promise<number> => {
    const { count } = await db
      .selectFrom('notifications')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('userId', '=', userId)
      .where('readAt', 'is', null)
      .executeTakeFirstOrThrow()
    return count
  },

  /** Marks some of the user's own notifications as read. Ids that do not exist, or belong to others, are ignored. */
  read: (actor: Actor, which: ReadInput): Promise<void> =>
    transactionAs(actor, async (tx) => {
      const { _id: userId } = actor
      const { numUpdatedRows } = await tx
        .updateTable('notifications')
        .set({ readAt: now() })
        .where('userId', '=', userId)
        .where('readAt', 'is', null)
        .where((row) =>
          'ids' in which
            ? row('_id', 'in', which.ids)
            : row(
                'seq',
                '<=',
                row
                  .selectFrom('notifications')
                  .select('seq')
                  .where('userId', '=', userId)
                  .where('_id', '=', which.upTo),
              ),
        )
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      await tx
        .updateTable('inboxes')
        .set((row) => ({ marks: row('marks', '+', 1) }))
        .where('userId', '=', userId)
        .execute()
      afterCommit(tx, () => publish(userId))
    }),

  /** The states of these users' notifications; users who never had any are left out. */
  positions: async (userIds: string[]): Promise<Map<string, Position>> => {
    if (userIds.length === 0) return new Map()
    const rows = await db.selectFrom('inboxes').selectAll().where('userId', 'in', userIds).execute()
    return new Map(rows.map(({ userId, seq, marks }) => [userId, { seq, marks }]))
  },

  /** Deletes notifications that are too old to be kept. */
  deleteExpired: async (): Promise<void> => {
    const oldest = momentIn(-NOTIFICATION_DAYS * DAY_MS)
    await deleteRows(db, 'notifications', ['createdAt', '<', oldest])
  },
}

const notificationsFor = (userId: string) =>
  db
    .selectFrom('notifications')
    .select(['_id', 'seq', 'kind', 'data', 'readAt', 'createdAt'])
    .where('userId', '=', userId)

/** Quotes comments as they are now, so that what its author edited, or a moderator deleted, is not shown any longer. */
async function withQuotes(rows: Numbered[]): Promise<Numbered[]> {
  const ids = rows.flatMap(({ data }) => ('commentId' in data ? [data.commentId] : []))
  if (ids.length === 0) return rows
  const comments = await db.selectFrom('comments').select(['_id', 'text']).where(inList('_id', ids)).execute()
  const quotes = new Map(comments.map(({ _id, text }) => [_id, quoteOf(text)]))
  return rows.map((row) => {
    const { data } = row
    return 'commentId' in data
      ? ({ ...row, data: { ...data, text: quotes.get(data.commentId) ?? '' } } as Numbered)
      : row
  })
}

/** Those of the users with an active account, in the same order. */
async function activeUserIds(tx: Transaction, userIds: string[]): Promise<string[]> {
  if (userIds.length === 0) return []
  const rows = await tx
    .selectFrom('users')
    .select('_id')
    .where('_id', 'in', userIds)
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .execute()
  const active = new Set(rows.map(({ _id }) => _id))
  return userIds.filter((userId) => active.has(userId))
}

async function insertNotifications(tx: Transaction, userId: string, news: NewNotification[]): Promise<void> {
  const { seq: last } = await tx
    .insertInto('inboxes')
    .values({ userId, seq: news.length, marks: 0 })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((row) => ({ seq: row('inboxes.seq', '+', news.length) })),
    )
    .returning('seq')
    .executeTakeFirstOrThrow()
  const first = last - news.length + 1
  await tx
    .insertInto('notifications')
    .values(
      news.map(({ kind, data }, index) => ({
        userId,
        seq: first + index,
        _id: newId(),
        kind,
        data,
        readAt: null,
        createdAt: now(),
      })),
    )
    .execute()
  // By kind, so that nobody can push out the notification of a new sign-in with comments.
  for (const kind of new Set(news.map((each) => each.kind))) {
    const ofKind = tx.selectFrom('notifications').select('seq').where('userId', '=', userId).where('kind', '=', kind)
    await tx
      .deleteFrom('notifications')
      .where('userId', '=', userId)
      .where('kind', '=', kind)
      .where('seq', '<=', ofKind.orderBy('seq', 'desc').limit(1).offset(MAX_NOTIFICATIONS))
      .execute()
  }
  afterCommit(tx, () => publish(userId))
}

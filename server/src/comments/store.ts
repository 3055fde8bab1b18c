import {
  type Comment,
  type CommentChange,
  type CommentCount,
  type CommentInput,
  type commentsApi,
  MAX_COMMENTS,
} from '@mokuroku/contract/comments'
import type { Translated } from '@mokuroku/contract/kinds'
import { MAX_TOTAL } from '@mokuroku/contract/lists'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Query } from '@mokuroku/contract/route'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { reauthorize } from '#access/session.ts'
import { db, locked, type Reader, type Transaction, transaction } from '#database/db.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { requireVersion } from '#ledger/conflict.ts'
import { createdBefore } from '#ledger/idempotency.ts'
import { presentIds } from '#ledger/links.ts'
import { mergedInto, survivorOf } from '#ledger/merges.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf, presentRow } from '#ledger/rows.ts'
import { countWrite } from '#ledger/writeLimit.ts'
import { forbidden, notFound, Refusal } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { audit } from '#store/audit'
import { notifications, quoteOf } from '#store/notifications'
import { users } from '#store/users'
import { namesAfter } from './mentions.ts'
import { countComment } from './quota.ts'

/** How many earlier commenters are notified of a new comment. */
const MAX_NOTIFIED = 50

type Row = Tables['comments']

export const comments = {
  /** A page of the comments on an entity. Throws 404 if the entity does not exist or is in the trash. */
  list: async (
    query: Query<(typeof commentsApi)['list']>,
    actor: Actor,
  ): Promise<{ rows: Comment[]; total: number }> => {
    const { entityType, entityId, state, sort, page, limit } = query
    const owner = await ownerOf(entityType, entityId)
    const ids = await withMerged(db, entityId)
    const matching = db
      .selectFrom('comments')
      .where('entityId', 'in', ids)
      .$if(state === 'open', (some) => some.where('resolvedAt', 'is', null))
      .$if(state === 'resolved', (some) => some.where('resolvedAt', 'is not', null))
    const [found, { count }] = await Promise.all([
      matching
        .selectAll()
        .orderBy('_id', sort === '-createdAt' ? 'desc' : 'asc')
        .limit(limit)
        .offset((page - 1) * limit)
        .execute(),
      matching.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow(),
    ])
    return { rows: await shown(found, actor, owner), total: Math.min(count, MAX_TOTAL) }
  },

  /** The number of open comments on each of the given entities of a kind. */
  counts: async (kind: Translated, ids: readonly string[]): Promise<CommentCount[]> => {
    const there = await presentIds(kind, ids)
    if (there.length === 0) return []
    const merged = await mergedInto(db, there)
    const counts = await db
      .selectFrom('comments')
      .select(['entityId', ({ fn }) => fn.countAll<number>().as('open')])
      .where('entityId', 'in', [...there, ...merged.keys()])
      .where('resolvedAt', 'is', null)
      .groupBy('entityId')
      .orderBy('entityId')
      .execute()
    const sums = new Map<string, number>()
    for (const { entityId, open } of counts) {
      const id = merged.get(entityId) ?? entityId
      sums.set(id, (sums.get(id) ?? 0) + open)
    }
    return [...sums].map(([entityId, open]) => ({ entityId, open }))
  },

  /**
   * Adds a comment, unless a request with this key has done so before; notifies mentioned users and earlier commenters.
   * Throws 404, or 429 for too many comments.
   */
  create: async ({ entityType, entityId, text }: CommentInput, caller: Actor, key?: string): Promise<Comment> => {
    const saved = await transaction(async (tx) => {
      const actor = await reauthorize(tx, caller)
      const definition = definitionOf(entityType)
      const entity = await presentRow(definition, tx, entityId)
      const id = newId()
      const earlier = await createdBefore(tx, 'Comment', { actor, key }, id)
      if (earlier !== undefined) return { row: await written(tx, earlier), owner: entity.createdBy, actor }
      const ids = await withMerged(tx, entityId)
      await limitComments(tx, ids)
      await countComment(tx, actor)
      const mentioned = await users.named(tx, namesAfter(text))
      const row: Row = {
        _id: id,
        entityType,
        entityId,
        text,
        mentions: mentioned,
        createdBy: actor._id,
        createdAt: now(),
        editedAt: null,
        resolvedAt: null,
        resolvedBy: null,
        version: 1,
      }
      const before = await earlierAuthors(tx, ids)
      await countWrite(tx, actor, row)
      await tx.insertInto('comments').values(row).execute()
      const title = definition.title(fieldsOf(definition, entity))
      notifyPeople(tx, row, actor, title, [...new Set([...mentioned, ...before])])
      record(tx, 'comments.written', actor, row, title)
      return { row, owner: entity.createdBy, actor }
    })
    return one(saved)
  },

  /** Throws 404, or 403 if `actor` may neither edit nor resolve it. Locks nothing. */
  authorize: async (id: string, actor: Actor): Promise<void> => {
    const row = await written(db, id)
    const { entityType, entityId } = row
    const owner = await ownerOf(entityType, (await survivorOf(db, entityType, entityId)) ?? entityId)
    const { canEdit, canResolve } = rightsOf(row, actor, owner)
    if (!canEdit && !canResolve) forbidden('authorOrEditor')
  },

  /**
   * Edits the text, or resolves or reopens the comment. Throws 404, 403 without permission, and 412 for another text if
   * it was changed since the version `base`.
   */
  update: async (id: string, { text, resolved }: CommentChange, caller: Actor, base?: number): Promise<Comment> => {
    const saved = await transaction(async (tx) => {
      const { actor, current, owner, title } = await present(tx, id, caller)
      const rights = rightsOf(current, actor, owner)
      const isEdited = text !== undefined && text !== current.text
      const isDecided = resolved !== undefined && resolved !== (current.resolvedAt !== null)
      if (isEdited && !rights.canEdit) forbidden('authorOnly')
      if (isDecided && !rights.canResolve) forbidden('authorOrEditor')
      if (isEdited) requireVersion(base, current, bothTexts(current, text, actor))
      const mentions = isEdited ? await users.named(tx, namesAfter(text)) : current.mentions
      const row: Row = {
        ...current,
        ...(isEdited && { text, mentions, editedAt: now(), version: current.version + 1 }),
        ...(isDecided && { resolvedAt: resolved ? now() : null, resolvedBy: resolved ? actor._id : null }),
      }
      if (!isEdited && !isDecided) return { row, owner, actor }
      await countWrite(tx, actor, row)
      await tx.updateTable('comments').set(row).where('_id', '=', id).execute()
      const added = mentions.filter((each) => !current.mentions.includes(each))
      // Also not those whose mention was removed meanwhile.
      const notified = await notifications.notifiedOfMention(tx, id, added)
      notifyPeople(
        tx,
        row,
        actor,
        title,
        added.filter((each) => !notified.has(each)),
      )
      if (isEdited) record(tx, 'comments.changed', actor, row, title)
      if (isDecided) record(tx, resolved ? 'comments.resolved' : 'comments.reopened', actor, row, title)
      return { row, owner, actor }
    })
    return one(saved)
  },

  remove: (id: string, caller: Actor): Promise<void> =>
    transaction(async (tx) => {
      const { actor, current, owner, title } = await present(tx, id, caller)
      if (!rightsOf(current, actor, owner).canDelete) forbidden('ownerOnly')
      await tx.deleteFrom('comments').where('_id', '=', id).execute()
      record(tx, 'comments.deleted', actor, current, title)
    }),
}

/** The creator of an entity. Throws 404 if it does not exist or is in the trash. */
async function ownerOf(kind: Translated, id: string): Promise<string | null> {
  const found = await db
    .selectFrom(TABLES[kind])
    .select('createdBy')
    .where('_id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return found ? found.createdBy : notFound(kind)
}

/** A comment. Throws 404 if it does not exist. */
const written = async (from: Reader, id: string): Promise<Row> =>
  (await from.selectFrom('comments').selectAll().where('_id', '=', id).executeTakeFirst()) ?? notFound('Comment')

/** A comment and its entity, both locked. Throws 404 if either does not exist, or the entity is in the trash. */
async function present(tx: Transaction, id: string, caller: Actor) {
  const actor = await reauthorize(tx, caller)
  const found = tx.selectFrom('comments').selectAll().where('_id', '=', id)
  const { entityType, entityId } = await written(tx, id)
  const definition = definitionOf(entityType)
  const entity = await presentRow(definition, tx, (await survivorOf(tx, entityType, entityId)) ?? entityId)
  const current = (await locked(found).executeTakeFirst()) ?? notFound('Comment')
  return { actor, current, owner: entity.createdBy, title: definition.title(fieldsOf(definition, entity)) }
}

/** What the author needs to resolve a conflict: only they change the text, in another window. */
const bothTexts = ({ text: theirs, version, createdAt, editedAt }: Row, mine: string, { username }: Actor) => ({
  mine: { text: mine },
  theirs: { text: theirs },
  conflicts: ['text'],
  version,
  updatedAt: editedAt ?? createdAt,
  savedBy: [username],
})

/** The ids of an entity and of those merged into it, whose comments are shown with its own. */
const withMerged = async (from: Reader, id: string): Promise<string[]> => [id, ...(await mergedInto(from, [id])).keys()]

/** Limits the number of comments on an entity, including those merged into it. */
async function limitComments(tx: Transaction, entityIds: string[]): Promise<void> {
  const { count } = await tx
    .selectFrom('comments')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('entityId', 'in', entityIds)
    .executeTakeFirstOrThrow()
  if (count >= MAX_COMMENTS) throw new Refusal(409, 'full', reasonText('commentsMany', { limit: MAX_COMMENTS }))
}

/** The authors of earlier comments on these entities, latest first. */
async function earlierAuthors(tx: Transaction, entityIds: string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('comments')
    .select(['createdBy', ({ fn }) => fn.max('_id').as('last')])
    .where('entityId', 'in', entityIds)
    .groupBy('createdBy')
    .orderBy('last', 'desc')
    .limit(MAX_NOTIFIED)
    .execute()
  return rows.map(({ createdBy }) => createdBy)
}

function notifyPeople(tx: Transaction, row: Row, actor: Actor, title: string, whom: string[]): void {
  const { _id: commentId, entityType, entityId } = row
  const data = { by: actor.username, commentId, entityType, entityId, title, text: quoteOf(row.text) }
  notifications.notify(
    tx,
    whom
      .filter((each) => each !== actor._id)
      .map((to) => ({ to, kind: 'COMMENTED' as const, data: { ...data, mentioned: row.mentions.includes(to) } })),
  )
}

function record(
  tx: Transaction,
  action: `comments.${'written' | 'changed' | 'resolved' | 'reopened' | 'deleted'}`,
  actor: Actor,
  { _id, entityType, entityId }: Row,
  label: string,
): void {
  audit.record(tx, { action, actor, about: { type: entityType, id: entityId, label }, details: { comment: _id } })
}

function rightsOf({ entityType, createdBy }: Row, actor: Actor, owner: string | null) {
  const isOwn = createdBy === actor._id
  return {
    canEdit: isOwn,
    canResolve: isOwn || checkPermission(actor, 'edit', entityType, owner).allowed,
    canDelete: isOwn || actor.role !== 'user',
  }
}

async function one({ row, actor, owner }: { row: Row; actor: Actor; owner: string | null }): Promise<Comment> {
  const [comment] = await shown([row], actor, owner)
  return comment ?? notFound('Comment')
}

async function shown(rows: Row[], actor: Actor, owner: string | null): Promise<Comment[]> {
  const ids = rows.flatMap(({ createdBy, resolvedBy, mentions }) => [createdBy, resolvedBy ?? createdBy, ...mentions])
  const people = await users.people([...new Set(ids)])
  const personOf = (id: string) => people.get(id) ?? { _id: id, username: '', avatar: '' }
  return rows.map((row) => ({
    ...row,
    mentions: row.mentions.map((id) => personOf(id)),
    author: personOf(row.createdBy),
    resolvedBy: row.resolvedBy === null ? null : personOf(row.resolvedBy),
    ...rightsOf(row, actor, owner),
  }))
}

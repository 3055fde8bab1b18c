import { isDeepStrictEqual } from 'node:util'
import { fieldError } from '@mokuroku/contract/faults'
import type { Translated } from '@mokuroku/contract/kinds'
import { MAX_SHARED_VIEWS, MAX_VIEWS, type View, type ViewInput } from '@mokuroku/contract/views'
import { sql, type SqlBool } from 'kysely'
import type { Actor } from '#access/permissions.ts'
import { reauthorize, transactionAs } from '#access/session.ts'
import { db, advisoryLock, type Reader, type Transaction, transaction } from '#database/db.ts'
import type { Tables } from '#database/tables.ts'
import { requireVersion } from '#ledger/conflict.ts'
import { createdBefore } from '#ledger/idempotency.ts'
import { parseFilters } from '#ledger/listFilters.ts'
import { countWrite } from '#ledger/writeLimit.ts'
import { forbidden, invalid, notFound } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { audit } from '#store/audit'

/** Maximum number of views listed: the user's own first, then those that moderators and administrators share. */
const MAX_LISTED = 500

export const views = {
  /** The views that a user may use, by name: their own, and those shared by others. */
  list: async (actor: Actor, entityType?: Translated): Promise<View[]> => {
    const some = db
      .selectFrom('views')
      .selectAll()
      .$if(entityType !== undefined, (each) => each.where('entityType', '=', entityType ?? 'Media'))
      .orderBy('name')
      .orderBy('_id')
      .limit(MAX_LISTED)
    // Each part is read in the order of an index; a condition with OR would read the views of all users.
    const own = some.where('createdBy', '=', actor._id)
    const others = some.where(sql<SqlBool>`"shared" = 1`).where('createdBy', '!=', actor._id)
    const team = db
      .selectFrom('users')
      .select('_id')
      .where('role', 'in', ['admin', 'moderator'])
      .where('deletedAt', 'is', null)
    const ranked = (part: typeof some, rank: number) =>
      db.selectFrom(part.as('part')).selectAll().select(sql.lit(rank).as('rank'))
    const listed = db
      .selectFrom(
        ranked(own, 0)
          .unionAll(ranked(others.where('createdBy', 'in', team), 1))
          .unionAll(ranked(others.where('createdBy', 'not in', team), 2))
          .as('all'),
      )
      .selectAll()
      .orderBy('rank')
      .orderBy('name')
      .orderBy('_id')
      .limit(MAX_LISTED)
    const rows = await db.selectFrom(listed.as('views')).selectAll().orderBy('name').orderBy('_id').execute()
    return shown(rows, actor)
  },

  /** Throws 404 if it does not exist, or is not shared with `actor`. */
  find: async (id: string, actor: Actor): Promise<View> => one(await visible(id, actor, db), actor),

  /** Throws 404 like `find`, and 403 if `actor` may not edit it. */
  authorize: async (id: string, actor: Actor): Promise<void> => {
    await editable(id, actor, db)
  },

  /** Adds a view, unless a request with this key has done so before. Throws 400 for too many views or shared ones. */
  create: async (input: ViewInput, caller: Actor, key?: string): Promise<View> => {
    parseFilters(input.entityType, input.filters, { at: 'filters', sort: input.sort })
    const at = now()
    const row = { ...input, _id: newId(), version: 1, createdBy: caller._id, createdAt: at, updatedAt: at }
    const created = await transaction(async (tx) => {
      const actor = await reauthorize(tx, caller)
      const earlier = await createdBefore(tx, 'View', { actor, key }, row._id)
      if (earlier !== undefined) return visible(earlier, actor, tx)
      await limitViews(tx, actor, { isNew: true, isShared: row.shared })
      await countWrite(tx, actor, row)
      await tx.insertInto('views').values(row).execute()
      recordView(tx, 'views.created', row, actor)
      return row
    })
    return one(created, caller)
  },

  /**
   * Throws 403 for another user's view, except for administrators, 412 if it was changed since `base`, and 400 for too
   * many shared views.
   */
  update: async (id: string, input: ViewInput, caller: Actor, base?: number): Promise<View> => {
    parseFilters(input.entityType, input.filters, { at: 'filters', sort: input.sort })
    const row = await transactionAs(caller, async (tx, actor) => {
      const current = await lockedView(id, actor, tx)
      // Such as a repeated call whose first response was lost.
      if (changedFields(current, input).length === 0) return current
      requireVersion(base, current)
      await limitViews(tx, actor, { isNew: false, isShared: input.shared && !current.shared })
      const changed = { ...current, ...input, version: current.version + 1, updatedAt: now() }
      await countWrite(tx, actor, changed)
      await tx.updateTable('views').set(changed).where('_id', '=', id).execute()
      recordView(tx, 'views.changed', changed, actor, { changed: changedFields(current, input) })
      return changed
    })
    return one(row, caller)
  },

  remove: (id: string, caller: Actor): Promise<void> =>
    transactionAs(caller, async (tx, actor) => {
      const row = await lockedView(id, actor, tx)
      recordView(tx, 'views.deleted', row, actor)
      await tx.deleteFrom('views').where('_id', '=', id).execute()
    }),
}

type Row = Tables['views']

/** Limits the number of a user's views, and of those that a user shares, so that nobody fills the list of others. */
async function limitViews(
  tx: Transaction,
  { _id, role }: Actor,
  { isNew, isShared }: { isNew: boolean; isShared: boolean },
): Promise<void> {
  if (!isNew && !isShared) return
  await advisoryLock(tx, `views of ${_id}`)
  const { all, sharing } = await tx
    .selectFrom('views')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.sum<number | null>('shared').as('sharing')])
    .where('createdBy', '=', _id)
    .executeTakeFirstOrThrow()
  if (isNew && all >= MAX_VIEWS) invalid([fieldError('name', 'viewsMany', { limit: MAX_VIEWS })])
  if (isShared && role === 'user' && Number(sharing) >= MAX_SHARED_VIEWS)
    invalid([fieldError('shared', 'viewsShared', { limit: MAX_SHARED_VIEWS })])
}

/** Records changes of a view in the audit log, since views have no revisions. */
function recordView(
  tx: Transaction,
  action: 'views.created' | 'views.changed' | 'views.deleted',
  { _id, name, entityType, shared, createdBy }: Row,
  actor: Actor,
  more: { changed?: string[] } = {},
): void {
  const details = { kind: entityType, shared, ...(createdBy !== actor._id && { owner: createdBy }), ...more }
  audit.record(tx, { action, actor, about: { type: 'View', id: _id, label: name }, details })
}

const changedFields = (before: Row, input: ViewInput): string[] =>
  Object.entries(input).flatMap(([name, value]) => (isDeepStrictEqual(before[name as keyof Row], value) ? [] : [name]))

async function visible(id: string, actor: Actor, from: Reader): Promise<Row> {
  const row = await from.selectFrom('views').selectAll().where('_id', '=', id).executeTakeFirst()
  if (!row || (!row.shared && !mayEdit(row, actor))) return notFound('View')
  return row
}

async function lockedView(id: string, actor: Actor, tx: Transaction): Promise<Row> {
  await advisoryLock(tx, `view ${id}`)
  return editable(id, actor, tx)
}

async function editable(id: string, actor: Actor, from: Reader): Promise<Row> {
  const row = await visible(id, actor, from)
  if (!mayEdit(row, actor)) forbidden('ownerOrAdmin')
  return row
}

const mayEdit = ({ createdBy }: Row, actor: Actor): boolean => createdBy === actor._id || actor.role === 'admin'

async function one(row: Row, actor: Actor): Promise<View> {
  const [view] = await shown([row], actor)
  return view ?? notFound('View')
}

async function shown(rows: Row[], actor: Actor): Promise<View[]> {
  if (rows.length === 0) return []
  const users = await db
    .selectFrom('users')
    .select(['_id', 'username'])
    .where('_id', 'in', [...new Set(rows.map(({ createdBy }) => createdBy))])
    .execute()
  const nameOf = new Map(users.map(({ _id, username }) => [_id, username]))
  return rows.map((row) => ({ ...row, username: nameOf.get(row.createdBy) ?? '', canEdit: mayEdit(row, actor) }))
}

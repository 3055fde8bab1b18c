import { randomUUID } from 'node:crypto'
import type { Kind } from '@mokuroku/contract/kinds'
import { type Editors, MAX_NAMED_EDITORS } from '@mokuroku/contract/presence'
import type { ExpressionBuilder } from 'kysely'
import { fromNow } from '#database/clock.ts'
import { db } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { bookkeeping } from '#database/state.ts'
import type { Tables } from '#database/tables.ts'
import { newId } from '#lib/ids.ts'
import { publishEntity } from '#ledger/changes.ts'

/** The entity that an editor has open. */
export interface Opened {
  entityType: Kind
  entityId: string
}

/**
 * How long rows are valid, in milliseconds, so that one refresh may fail (`REFRESH_MS` in store.ts). Streams notice the end
 * of those of a crashed server up to seven seconds later.
 */
const TTL_MS = 22_000
/** Says which rows are of this process, for people who look at the table. */
const server = randomUUID()
/** The ids of the rows of this process, as of the last refresh. */
const own = new Set<string>()

export const rows = {
  /** Records that a user has an entity open, and returns the id of the row. */
  enter: async (opened: Opened, userId: string): Promise<string> => {
    const _id = newId()
    const { entityType, entityId } = opened
    const row = { _id, entityType, entityId, userId, server, expiresAt: fromNow(TTL_MS) }
    await bookkeeping((tx) => tx.insertInto('presence').values(row).execute())
    own.add(_id)
    publishEntity(entityId)
    return _id
  },

  leave: async (id: string, { entityId }: Opened): Promise<void> => {
    own.delete(id)
    await bookkeeping((tx) => tx.deleteFrom('presence').where('_id', '=', id).execute())
    publishEntity(entityId)
  },

  /** Whether a row still exists. Other servers delete the rows of one that was frozen until they expired. */
  exists: (id: string): boolean => own.has(id),

  /** Who else has the entity open: the earliest ones by name, and the total number. */
  editors: async ({ entityType, entityId }: Opened, exceptId: string): Promise<Editors> => {
    const people = await db
      .selectFrom('presence')
      .innerJoin('users', 'users._id', 'presence.userId')
      .select(['users._id', 'users.username', 'users.avatar'])
      .select(({ fn }) => fn.min('presence._id').as('since'))
      .where('presence.entityId', '=', entityId)
      .where('presence.entityType', '=', entityType)
      .where(isLive)
      .where('users._id', '!=', exceptId)
      .where('users.isActive', '=', true)
      .where('users.deletedAt', 'is', null)
      .groupBy(['users._id', 'users.username', 'users.avatar'])
      .orderBy('since')
      .execute()
    const named = people.slice(0, MAX_NAMED_EDITORS)
    return {
      entityId,
      people: named.map(({ _id, username, avatar }) => ({ _id, username, avatar })),
      count: people.length,
    }
  },

  /**
   * Extends all rows of this process with one statement, and deletes those that are not live: also those that could not
   * be deleted when their users left, because the database was away.
   */
  refresh: async (): Promise<void> => {
    const ids = [...own]
    const extended = await bookkeeping((tx) =>
      tx
        .updateTable('presence')
        .set({ expiresAt: fromNow(TTL_MS) })
        .where(inList('_id', ids))
        .returning('_id')
        .execute(),
    )
    const existing = new Set(extended.map(({ _id }) => _id))
    for (const id of ids) if (!existing.has(id)) own.delete(id)
    await bookkeeping((tx) =>
      tx
        .deleteFrom('presence')
        .where((row) => row.not(isLive(row)))
        .execute(),
    )
  },
}

/** A row that expires later than it could was written while the clock was ahead, and does not count. */
const isLive = (row: ExpressionBuilder<Tables, 'presence'>) =>
  row.and([row('presence.expiresAt', '>', fromNow(0)), row('presence.expiresAt', '<', fromNow(2 * TTL_MS))])

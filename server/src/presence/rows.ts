import type { Kind } from '@mokuroku/contract/kinds'
import { type Editors, MAX_NAMED_EDITORS } from '@mokuroku/contract/presence'
import { fromNow } from '#database/clock.ts'
import { db } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { publishEntity } from '#ledger/changes.ts'

/** What an editor has open. */
export interface Opened {
  entityType: Kind
  entityId: string
}

/** What a server that ends without a word leaves behind is shown for so long at most. */
const TTL_MS = 30_000
/** Of the rows that this process refreshes. */
const server = newId()

export const rows = {
  /** Notes that a user has an entity open, and answers the id of that. */
  enter: async (opened: Opened, userId: string): Promise<string> => {
    const _id = newId()
    const { entityType, entityId } = opened
    await db
      .insertInto('presence')
      .values({ _id, entityType, entityId, userId, server, expiresAt: fromNow(TTL_MS) })
      .execute()
    publishEntity(entityId)
    return _id
  },

  leave: async (id: string, { entityId }: Opened): Promise<void> => {
    await db.deleteFrom('presence').where('_id', '=', id).execute()
    publishEntity(entityId)
  },

  /** Who else has it open: those who came first by name, and how many there are. */
  editors: async ({ entityType, entityId }: Opened, exceptId: string): Promise<Editors> => {
    const people = await db
      .selectFrom('presence')
      .innerJoin('users', 'users._id', 'presence.userId')
      .select(['users._id', 'users.username', 'users.avatar'])
      .select(({ fn }) => fn.min('presence._id').as('since'))
      .where('presence.entityId', '=', entityId)
      .where('presence.entityType', '=', entityType)
      .where('presence.expiresAt', '>', fromNow(0))
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

  /** Says that what this process has noted is still so, in one statement, and forgets what nobody says any more. */
  refresh: async (): Promise<void> => {
    await db
      .updateTable('presence')
      .set({ expiresAt: fromNow(TTL_MS) })
      .where('server', '=', server)
      .execute()
    await db.deleteFrom('presence').where('expiresAt', '<', fromNow(0)).execute()
  },
}

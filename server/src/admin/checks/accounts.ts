import { sql } from 'kysely'
import { advisoryLock, locked, transaction } from '#database/db.ts'
import type { Meta, Tables } from '#database/tables.ts'
import { users } from '#store/users'
import { reserveUsername } from '../../users/reservedUsernames.ts'
import { skeletonOf } from '../../users/usernames.ts'
import { type Check, everyEntity, type Inspect, type Issue, orphanedRows, truncationIssue } from './check.ts'

type User = Tables['users']

/** The name of every account is reserved for it, and no notification has a number that will be given again. */
export const accounts: Check = {
  name: 'accounts',
  run: async function* inspect() {
    yield* everyEntity(unreservedNames, ['User'])
    const behind = await orphanedRows(sql`SELECT "userId" AS "id", max("seq") AS "from" FROM "notifications" AS "its"
      GROUP BY "userId" HAVING max("seq") >
        coalesce((SELECT "seq" FROM "inboxes" WHERE "inboxes"."userId" = "its"."userId"), 0)`)
    for (const { id } of behind)
      yield { what: `User ${id}: its last notification is newer than its inbox says`, repair: () => moveInbox(id) }
    yield* truncationIssue(behind)
  },
}

/** Of accounts whose names look alike, as they could before names were reserved, only one has it. */
const unreservedNames: Inspect = async (tx, _, rows) => {
  const present = rows.filter(({ deletedAt }) => deletedAt === null) as (Meta & User)[]
  if (present.length === 0) return []
  const keys = new Map(present.map(({ _id, username }) => [_id, skeletonOf(username)]))
  const reserved = await tx
    .selectFrom('usernames')
    .leftJoin('users', 'users._id', 'usernames.userId')
    .select(['key', 'userId', 'username', 'deletedAt'])
    .where('key', 'in', [...keys.values()])
    .execute()
  const rowOf = new Map(reserved.map((row) => [row.key, row]))
  return present.flatMap(({ _id }): Issue[] => {
    const row = rowOf.get(keys.get(_id) ?? '')
    const isAlike = row?.deletedAt === null && skeletonOf(row.username ?? '') === row.key
    if (row?.userId === _id || isAlike) return []
    return [{ what: `User ${_id}: its name is not reserved for it`, repair: () => reserve(_id) }]
  })
}

const reserve = (id: string): Promise<void> =>
  transaction(async (tx) => {
    await advisoryLock(tx, 'users')
    const user = (await users.row(id)) as User | undefined
    if (user && user.deletedAt === null) await reserveUsername(tx, id, user.username)
  })

/** The row of the inbox is locked, as when a notification gets its number. */
const moveInbox = (userId: string): Promise<void> =>
  transaction(async (tx) => {
    await sql`INSERT INTO "inboxes" ("userId", "seq", "marks") VALUES (${userId}, 0, 0) ON CONFLICT DO NOTHING`.execute(
      tx,
    )
    await locked(tx.selectFrom('inboxes').select('seq').where('userId', '=', userId)).execute()
    await sql`UPDATE "inboxes" SET "seq" = (SELECT max("seq") FROM "notifications" WHERE "userId" = ${userId})
      WHERE "userId" = ${userId}`.execute(tx)
  })

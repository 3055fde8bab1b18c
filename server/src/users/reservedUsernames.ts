import { advisoryLock, type Transaction, transaction } from '#database/db.ts'
import { now } from '#lib/clock.ts'
import { skeletonOf } from './usernames.ts'

/** How many former names of an account stay reserved. */
const MAX_FORMER_NAMES = 5

/**
 * Reserves a name for an account, taking it from one in the trash if necessary; its last former names stay reserved.
 */
export async function reserveUsername(tx: Transaction, userId: string, username: string): Promise<void> {
  const row = { key: skeletonOf(username), userId, createdAt: now() }
  const { key: _, ...taken } = row
  await tx
    .insertInto('usernames')
    .values(row)
    .onConflict((on) => on.column('key').doUpdateSet(taken))
    .execute()
  const rows = await tx
    .selectFrom('usernames')
    .select('key')
    .where('userId', '=', userId)
    .where('key', '!=', row.key)
    .orderBy('createdAt', 'desc')
    .execute()
  const surplus = rows.slice(MAX_FORMER_NAMES).map(({ key }) => key)
  if (surplus.length > 0) await tx.deleteFrom('usernames').where('key', 'in', surplus).execute()
}

/**
 * Reserves the names of accounts from before lookalike names were rejected. Returns the names that look like that of an
 * older account: they stay valid until they are changed.
 */
export async function reserveExistingUsernames(): Promise<string[]> {
  const alike: string[] = []
  await transaction(async (tx) => {
    await advisoryLock(tx, 'users')
    const rows = await tx
      .selectFrom('users')
      .select(['_id', 'username'])
      .where('deletedAt', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('usernames').select('key').whereRef('usernames.userId', '=', 'users._id'))),
      )
      .orderBy('createdAt')
      .orderBy('_id')
      .execute()
    for (const { _id: userId, username } of rows) {
      const row = { key: skeletonOf(username), userId, createdAt: now() }
      const done = await tx
        .insertInto('usernames')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirst()
      if (done.numInsertedOrUpdatedRows === 0n) alike.push(username)
    }
  })
  return alike
}

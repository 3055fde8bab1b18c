import { advisoryLock, type Transaction, transaction } from '#database/db.ts'
import { countersOf, setCounter } from '#ledger/counters.ts'
import { DAY_MS, now, time } from '#lib/clock.ts'
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
 * older account: they stay valid until they are changed. Once there are none, only accounts that have changed since
 * shortly before the last check are checked, since an older server may still be running.
 */
export async function reserveExistingUsernames(): Promise<string[]> {
  const alike: string[] = []
  await transaction(async (tx) => {
    await advisoryLock(tx, 'users')
    const startedAt = time()
    const { namesReservedAt = 0 } = await countersOf(tx, ['namesReservedAt'])
    const rows = await tx
      .selectFrom('users')
      .select(['_id', 'username', 'createdAt'])
      .where('deletedAt', 'is', null)
      .where('updatedAt', '>', new Date(namesReservedAt - DAY_MS).toISOString())
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('usernames').select('key').whereRef('usernames.userId', '=', 'users._id'))),
      )
      .execute()
    // Not sorted by the database, which could then read all accounts in that order.
    const oldestFirst = rows.toSorted((one, other) => (ageKey(one) < ageKey(other) ? -1 : 1))
    for (const { _id: userId, username } of oldestFirst) {
      const row = { key: skeletonOf(username), userId, createdAt: now() }
      const done = await tx
        .insertInto('usernames')
        .values(row)
        .onConflict((on) => on.doNothing())
        .executeTakeFirst()
      if (done.numInsertedOrUpdatedRows === 0n) alike.push(username)
    }
    await setCounter(tx, 'namesReservedAt', alike.length === 0 ? startedAt : 0)
  })
  return alike
}

const ageKey = ({ createdAt, _id }: { createdAt: string; _id: string }): string => `${createdAt} ${_id}`

// Work on very many rows takes a page of them at a time: on SQLite, nothing else runs during a statement.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runs } from '#store/ai'
import { db } from '#database/db.ts'
import { deleteOldJobs } from '#jobs/queue.ts'
import { deleteExpiredKeys } from '#ledger/idempotency.ts'
import { notifications } from '#store/notifications'
import { resets } from '#store/auth'
import { work } from '#store/work'
import { withApp } from '#test/app.ts'
import { aUser } from '#test/factories.ts'
import { expectFewRows } from '#test/plans.ts'

withApp()

const MANY = 2500
const AGES_AGO = '2001-01-01T00:00:00.000Z'

/** Inserts many rows; the values may contain the number of the row, "n". */
const insertMany = (table: string, values: Record<string, string>) =>
  sql`INSERT INTO ${sql.table(table)} (${sql.join(Object.keys(values).map((column) => sql.ref(column)))})
    WITH RECURSIVE "more" ("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "more" WHERE "n" < ${sql.lit(MANY)})
    SELECT ${sql.raw(Object.values(values).join())} FROM "more"`.execute(db)

const countOf = async (table: 'aiRuns' | 'creations' | 'jobs' | 'notifications' | 'reservations' | 'resets') => {
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

test('what has expired is deleted a page at a time', async () => {
  const { _id } = await aUser()
  const [id, past, user] = [`'expired ' || "n"`, `'${AGES_AGO}'`, `'${_id}'`]
  const run = { model: `''`, prompt: `''`, sources: `'[]'`, milliseconds: '1', inputTokens: '1', outputTokens: '1' }
  const expired = {
    notifications: {
      userId: user,
      seq: '"n"',
      _id: id,
      kind: `'BATCH_FINISHED'`,
      data: `'{}'`,
      createdAt: past,
    },
    aiRuns: {
      _id: id,
      userId: user,
      call: `'media'`,
      provider: `'reference'`,
      startedAt: past,
      ...run,
      isEstimate: '0',
      outcome: `'done'`,
      answers: `'[]'`,
    },
    creations: { key: id, entityId: id, createdAt: past },
    reservations: { entityId: id, entityType: `'Media'`, userId: user, until: past },
    resets: { tokenHash: id, userId: user, email: `''`, createdAt: past, expiresAt: past },
    jobs: {
      _id: id,
      kind: `'mail.send'`,
      payload: `'{}'`,
      state: `'done'`,
      dueAt: past,
      attempts: '1',
      total: '0',
      done: '0',
      createdAt: past,
      finishedAt: past,
    },
  }
  const deletions = {
    notifications: () => notifications.deleteExpired(),
    aiRuns: () => runs.deleteExpired(),
    creations: () => deleteExpiredKeys(),
    reservations: () => work.deleteExpired(),
    resets: () => resets.deleteExpired(),
    jobs: () => deleteOldJobs(),
  }
  for (const table of ['notifications', 'aiRuns', 'creations', 'reservations', 'resets', 'jobs'] as const) {
    const before = await countOf(table)
    await insertMany(table, expired[table])
    await expectFewRows(deletions[table])
    expect({ [table]: await countOf(table) }).toEqual({ [table]: before })
  }
})

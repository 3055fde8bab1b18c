// The audit log as the owner of the database sees it.
import { dirname } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { db, engine } from '#database/db.ts'
import { backgroundDone } from '#lib/background.ts'
import type { Tables } from '#database/tables.ts'

export type Entry = Tables['audit']

/** The whole log, including entries of earlier requests that are still being written. */
export async function entries(): Promise<Entry[]> {
  await backgroundDone()
  return db.selectFrom('audit').selectAll().orderBy('seq').execute()
}

/** The head of the log, including entries of earlier requests that are still being written. */
export async function head() {
  await backgroundDone()
  return db.selectFrom('auditHead').selectAll().executeTakeFirstOrThrow()
}

/** The entries that `work` adds to the log, including those written after its responses. */
export async function entriesOf(work: () => Promise<unknown>): Promise<Entry[]> {
  const { seq } = await head()
  await work()
  return (await entries()).filter((entry) => entry.seq > seq)
}

/** Statements that would alter or shorten the log. */
export const CHANGES = [
  `UPDATE "audit" SET "label" = 'x' WHERE "seq" = 1`,
  `DELETE FROM "audit" WHERE "seq" = 1`,
  `DELETE FROM "auditHead"`,
  `UPDATE "auditHead" SET "seq" = "seq" - 1`,
  `UPDATE "auditHead" SET "deletedSeq" = "deletedSeq" - 1`,
  `UPDATE "auditHead" SET "deletedSeq" = "seq" + 1`,
  ...(process.env.ENGINE === 'postgres' ? [`TRUNCATE "audit"`, `TRUNCATE "auditHead"`] : []),
]

export const run = async (statement: string): Promise<void> => void (await sql.raw(statement).execute(db))

/** Removes the triggers that protect the log. */
export async function unprotect(): Promise<void> {
  for (const table of ['audit', 'auditHead'])
    for (const name of ['unchanged', 'undeleted', 'forward', 'kept', 'untruncated'])
      await run(`DROP TRIGGER IF EXISTS "${table}_${name}"${engine === 'postgres' ? ` ON "${table}"` : ''}`)
}

/** Runs `work` while nothing can be added to the log. */
export async function withoutLog(work: () => Promise<unknown>): Promise<void> {
  await run('ALTER TABLE "auditHead" RENAME TO "hidden"')
  try {
    await work()
    await backgroundDone()
  } finally {
    await run('ALTER TABLE "hidden" RENAME TO "auditHead"')
  }
}

/** Environment variables that point another process to this test's database. */
export async function place() {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ file: string }>`PRAGMA database_list`.execute(db)
    return { DATA_DIR: dirname(rows[0]?.file ?? '') }
  }
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS "name"`.execute(db)
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  url.pathname = `/${rows[0]?.name}`
  return { DATABASE_URL: url.toString() }
}

/** Expects the call to be refused with this status. */
export const failing = (call: Promise<unknown>, status: number): Promise<void> =>
  expect(call)
    .rejects.toMatchObject({ status })
    .then(() => undefined)

import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { withApp } from '#test/app.ts'
import { db, engine, transaction } from './db.ts'
import { databaseState } from './state.ts'

withApp()

const NAME = 'probe'
const add = `UPDATE "counters" SET "value" = "value" + 1 WHERE "name" = '${NAME}'`

/** The state, and what was read by the same statement. */
async function readState(): Promise<{ state: string | null; value: number }> {
  const row = await db
    .selectFrom('counters')
    .select(['value', databaseState().as('state')])
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  return { state: row.state, value: row.value }
}

test('what is only read leaves it as it is, and what is written does not', async () => {
  await db.insertInto('counters').values({ name: NAME, value: 0 }).execute()
  const first = await readState()
  await db.selectFrom('users').selectAll().execute()
  // PostgreSQL counts the transactions of all databases: other tests write to theirs.
  if (engine === 'sqlite') expect(await readState()).toEqual(first)
  await transaction((tx) => sql.raw(add).execute(tx))
  const second = await readState()
  expect(second.state).not.toBe(first.state)
  const failed = transaction(async (tx) => {
    await sql.raw(add).execute(tx)
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect((await readState()).value).toBe(second.value)
})

test('whoever writes, and whenever they commit: where it is the same, what is read is the same', async () => {
  await db.deleteFrom('counters').where('name', '=', NAME).execute()
  await db.insertInto('counters').values({ name: NAME, value: 0 }).execute()
  const others = await Promise.all([another(), another(), another()])
  const steps = fc.array(fc.tuple(fc.constantFrom('own', 'begin', 'write', 'commit', 'rollback', 'look'), fc.nat(2)), {
    minLength: 20,
    maxLength: 60,
  })
  const seen = new Map<string | null, number>()
  const open = new Set<number>()
  // Only one at a time may have written the row; the others would wait for it.
  let writer: number | undefined
  const end = async (at: number, how: 'commit' | 'rollback') => {
    await others[at]?.(how)
    open.delete(at)
    if (writer === at) writer = undefined
  }
  for (const [step, at] of fc.sample(steps, 40).flat()) {
    if (step === 'own' && writer === undefined) await transaction((tx) => sql.raw(add).execute(tx))
    if (step === 'begin' && !open.has(at)) await others[at]?.('begin').then(() => open.add(at))
    if (step === 'write' && open.has(at) && (writer ?? at) === at) await others[at]?.(add).then(() => (writer = at))
    if ((step === 'commit' || step === 'rollback') && open.has(at)) await end(at, step)
    const { state, value } = await readState()
    expect(seen.get(state) ?? value).toBe(value)
    seen.set(state, value)
  }
  for (const at of open) await end(at, 'rollback')
  expect(new Set(seen.values()).size).toBeGreaterThan(10)
})

/** Another connection to the database, as another server or a command has it. */
async function another(): Promise<(text: string) => Promise<unknown>> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ file: string }>`PRAGMA database_list`.execute(db)
    const file = new DatabaseSync(rows[0]?.file ?? '')
    onTestFinished(() => file.close())
    return (text) => Promise.resolve(file.exec(text))
  }
  const { rows } = await sql<{ name: string }>`SELECT current_database() AS "name"`.execute(db)
  const url = new URL(process.env.TEST_DATABASE_URL ?? '')
  url.pathname = `/${rows[0]?.name}`
  const client = new pg.Client({ connectionString: url.toString() })
  await client.connect()
  onTestFinished(() => client.end())
  return (text) => client.query(text)
}

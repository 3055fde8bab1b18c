import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { withApp } from '#test/app.ts'
import { db, engine, transaction } from './db.ts'
import { databaseState, nameOf, stateOf, bookkeeping } from './state.ts'

withApp()

const NAME = 'probe'
const addAside = `UPDATE "counters" SET "value" = "value" + 1 WHERE "name" = 'aside'`
const add = `UPDATE "counters" SET "value" = "value" + 1 WHERE "name" = '${NAME}'`

/** The state, and a value read by the same statement. */
async function readState(): Promise<{ state: string; value: number }> {
  const row = await db
    .selectFrom('counters')
    .select(['value', databaseState().as('state')])
    .where('name', '=', NAME)
    .executeTakeFirstOrThrow()
  return { state: stateOf(row.state ?? ''), value: row.value }
}

beforeAll(async () => {
  await db.insertInto('counters').values({ name: NAME, value: 0 }).execute()
})

test('reads leave the database state unchanged, and writes change it', async () => {
  const first = await readState()
  await db.selectFrom('users').selectAll().execute()
  // PostgreSQL counts transactions of all databases, and other tests write to theirs.
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

test('while a transaction is open, others read the state and the values from before it', async () => {
  const before = await readState()
  const meanwhile = await transaction(async (tx) => {
    await sql.raw(add).execute(tx)
    return Promise.all([readState(), readState()])
  })
  for (const each of meanwhile) expect(each.value).toBe(before.value)
  // PostgreSQL counts transactions of all databases.
  if (engine === 'sqlite') expect(meanwhile).toEqual([before, before])
  const after = await readState()
  expect(after.value).toBe(before.value + 1)
  expect(after.state).not.toBe(before.state)
})

test('bookkeeping leaves the database state unchanged', async () => {
  await db.insertInto('counters').values({ name: 'aside', value: 0 }).execute()
  const write = async () => {
    const before = await readState()
    await bookkeeping((tx) => sql.raw(addAside).execute(tx))
    return (await readState()).state === before.state
  }
  if (engine === 'sqlite') expect(await Promise.all([write(), write(), write()])).toEqual([true, true, true])
  // Repeated until no other test writes in between.
  else await expect.poll(write).toBe(true)
})

test('after a lost connection, no state has the same name as before', async () => {
  if (engine === 'sqlite') return
  const read = () =>
    db
      .selectFrom('counters')
      .select(databaseState().as('state'))
      .executeTakeFirst()
      .catch(() => undefined)
  const text = (await read())?.state ?? ''
  const before = stateOf(text)
  expect(stateOf(text)).toBe(before)
  await (
    await another()
  )(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  // A connection that is terminated may still answer for a moment.
  await expect.poll(async () => (await read(), stateOf(text))).not.toBe(before)
})

test('equal snapshot names mean the same finished transactions, except for bookkeeping', () => {
  const step = fc.record({ isBeginning: fc.boolean(), isAside: fc.boolean(), isKnownLate: fc.boolean(), at: fc.nat(9) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const [aside, running, over] = [new Set<string>(), [] as number[], [] as number[]]
      const asides = new Set<number>()
      const seen = new Map<string, string>()
      let next = 100
      const snapshotName = () => {
        // Like PostgreSQL: xmax is one past the last transaction that has ended.
        const end = Math.max(99, ...over) + 1
        const underWay = running.filter((id) => id < end)
        return nameOf(`${Math.min(end, ...underWay)}:${end}:${underWay.join()}`, aside)
      }
      for (const { isBeginning, isAside, isKnownLate, at } of steps) {
        const before = snapshotName()
        const ending = isBeginning ? undefined : running[at % running.length]
        if (isBeginning) {
          running.push(next)
          if (isAside) asides.add(next)
          if (isAside && !isKnownLate) aside.add(String(next))
          next++
        } else if (ending !== undefined) {
          running.splice(running.indexOf(ending), 1)
          over.push(ending)
        }
        const name = snapshotName()
        if (isBeginning || (ending !== undefined && aside.has(String(ending)))) expect(name).toBe(before)
        for (const id of asides) if (isKnownLate && over.includes(id)) aside.add(String(id))
        const visible = over.filter((id) => !asides.has(id)).toSorted((one, two) => one - two)
        expect(seen.get(name) ?? visible.join()).toBe(visible.join())
        seen.set(name, visible.join())
      }
    }),
  )
})

test('equal states mean equal reads, whatever other connections write and commit', async () => {
  await db.deleteFrom('counters').where('name', '=', NAME).execute()
  await db.insertInto('counters').values({ name: NAME, value: 0 }).execute()
  const others = await Promise.all([another(), another(), another()])
  const steps = fc.array(
    fc.tuple(fc.constantFrom('own', 'aside', 'begin', 'write', 'commit', 'rollback', 'look'), fc.nat(2)),
    {
      minLength: 20,
      maxLength: 60,
    },
  )
  const seen = new Map<string, number>()
  const open = new Set<number>()
  // Only one transaction at a time may have written the row; the others would wait for its lock.
  let writer: number | undefined
  const end = async (at: number, how: 'commit' | 'rollback') => {
    await others[at]?.(how)
    open.delete(at)
    if (writer === at) writer = undefined
  }
  for (const [step, at] of fc.sample(steps, 40).flat()) {
    if (step === 'own' && writer === undefined) await transaction((tx) => sql.raw(add).execute(tx))
    if (step === 'aside' && (engine === 'postgres' || writer === undefined))
      await bookkeeping((tx) => sql.raw(addAside).execute(tx))
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

/** Another connection to the database, like that of another server or a command. */
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

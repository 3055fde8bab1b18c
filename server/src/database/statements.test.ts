import { authApi } from '@mokuroku/contract/auth'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { withApp } from '#test/app.ts'
import { aSite, callOn, faultsOf } from '#test/crash.ts'
import { ask, signIn } from '#test/faults/site.ts'
import { mediaInput } from '#test/factories.ts'
import { startPooler } from '#test/pooler.ts'
import { postgres } from '#test/postgres.ts'
import { startServer } from '#test/process.ts'
import { newId } from '#lib/ids.ts'
import { inList } from './inList.ts'
import { db, engine, send, type Transaction, transaction } from './db.ts'
import { together } from './executor.ts'
import { prepareBy, StaleStatement } from './prepared.ts'
import { PreparedQuery } from './preparedQuery.ts'
import { databaseState } from './state.ts'
import { statement } from './statement.ts'

withApp()

const counter = (tx: Transaction, name: string, value = 1) => tx.insertInto('counters').values({ name, value })
const counted = async (like: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('counters')
    .select('name')
    .where('name', 'like', `${like}%`)
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}

describe('a statement that is not awaited', () => {
  test('runs before the next statement', async () => {
    const name = newId()
    const seen = await transaction(async (tx) => {
      send(tx, counter(tx, name))
      return tx.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst()
    })
    expect(seen).toEqual({ value: 1 })
  })

  test('fails its transaction with its own error', async () => {
    const name = newId()
    const twice = transaction(async (tx) => {
      send(tx, counter(tx, `${name} before`))
      send(tx, counter(tx, name))
      send(tx, counter(tx, name))
      await tx.selectFrom('counters').select('value').where('name', '=', name).execute()
      send(tx, counter(tx, `${name} after`))
    })
    await expect(twice).rejects.toMatchObject(engine === 'postgres' ? { code: '23505' } : { errcode: 1555 })
    expect(await counted(name)).toEqual([])
  })

  test('fails its transaction if it is the last one, too', async () => {
    const name = newId()
    const twice = transaction(async (tx) => {
      send(tx, counter(tx, name))
      send(tx, counter(tx, name))
    })
    await expect(twice).rejects.toMatchObject(engine === 'postgres' ? { code: '23505' } : { errcode: 1555 })
    expect(await counted(name)).toEqual([])
  })

  const circular: Record<string, unknown> = {}
  circular.itself = circular
  test.each([
    ['is never sent', () => Promise.reject(new Error('lost on the way')), /lost on the way/],
    [
      'has a value that cannot be encoded',
      (tx: Transaction) => sql`SELECT ${circular}`.execute(tx),
      /circular|No answer/,
    ],
  ])('rolls back its transaction if it %s', async (_, execute, message) => {
    const name = newId()
    const lost = transaction(async (tx) => {
      send(tx, counter(tx, name))
      send(tx, { execute: () => execute(tx) })
      send(tx, counter(tx, `${name} after`))
    })
    await expect(lost).rejects.toThrow(message)
    expect(await counted(name)).toEqual([])
  })
})

test.runIf(postgres)('statements that are not awaited leave in one write with the commit', async () => {
  const name = newId()
  const write = vi.spyOn(Socket.prototype, '_write')
  onTestFinished(() => write.mockRestore())
  const writes = () => write.mock.calls.map(([part]) => String(part)).filter((text) => text.includes(name))
  await transaction(async (tx) => {
    await counter(tx, `${name} awaited`).execute()
    send(tx, counter(tx, `${name} one`))
    send(tx, counter(tx, `${name} two`))
  })
  expect(writes()).toEqual([
    expect.stringMatching(new RegExp(`begin.*${name} awaited`, 's')),
    expect.stringMatching(new RegExp(`${name} one.*${name} two.*commit`, 's')),
  ])
})

describe.runIf(postgres)('a transaction with a failed statement that is not awaited', () => {
  const contended = `DO $$ BEGIN RAISE EXCEPTION 'others were first' USING ERRCODE = '40001'; END $$`
  const notAwaited = (tx: Transaction, text: string) =>
    void sql
      .raw(text)
      .execute(tx)
      .catch(() => undefined)

  test('rejects with the original error, not the one that follows from it', async () => {
    const failed = transaction(async (tx) => {
      notAwaited(tx, 'SELECT 1 / 0')
      await sql`SELECT 1`.execute(tx)
    })
    await expect(failed).rejects.toMatchObject({ code: '22012' })
  })

  test('is retried after a serialization failure', async () => {
    let attempts = 0
    await transaction(async (tx) => {
      attempts += 1
      if (attempts === 1) notAwaited(tx, contended)
      await sql`SELECT 1`.execute(tx)
    })
    expect(attempts).toBe(2)
  })
})

test.runIf(postgres)(
  'a transaction that keeps conflicting runs alone: no other one starts until it has ended',
  async () => {
    let [alone, most, begunBeside] = [0, 0, 0]
    const ended = new AbortController()
    const crowded = async () => {
      let attempt = 0
      await transaction(async () => {
        attempt += 1
        const isAlone = attempt > 4
        if (isAlone) most = Math.max(most, (alone += 1))
        else if (alone > 0) begunBeside += 1
        await sleep(30)
        if (isAlone) alone -= 1
        if (attempt < 7) throw Object.assign(new Error('others were first'), { code: '40001' })
      })
    }
    const newcomers = async () => {
      for (; !ended.signal.aborted; await sleep(1))
        await transaction(async () => void (begunBeside += Math.sign(alone)))
    }
    const coming = newcomers()
    await Promise.all(Array.from({ length: 6 }, crowded))
    ended.abort()
    await coming
    expect(most).toBe(1)
    expect(begunBeside).toBe(0)
  },
)

test.runIf(postgres)(
  'waits only a few seconds for a transaction that runs alone, so a nested one cannot deadlock',
  async () => {
    let attempts = 0
    await transaction(async () => {
      attempts += 1
      if (attempts <= 4) throw Object.assign(new Error('others were first'), { code: '40001' })
      await transaction(async () => undefined)
    })
    expect(attempts).toBe(5)
  },
)

test('refuses a statement in a transaction that has ended', async () => {
  const name = newId()
  let kept: Transaction | undefined
  await transaction(async (tx) => void (kept = tx))
  await expect(counter(kept as Transaction, name).execute()).rejects.toThrow('The transaction is over')
  await expect(
    transaction(async (tx) => {
      kept = tx
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await expect(counter(kept as Transaction, name).execute()).rejects.toThrow('The transaction is over')
  expect(await counted(name)).toEqual([])
})

test('parallel parts of a transaction throw the first error only when all parts have ended', async () => {
  const name = newId()
  const done: string[] = []
  const long = async (tx: Transaction) => {
    for (const each of [1, 2, 3]) {
      await tx.selectFrom('counters').select('name').limit(1).execute()
      done.push(`read ${each}`)
    }
  }
  const failing = async (tx: Transaction) => {
    await counter(tx, name).execute()
    throw new Error('refused')
  }
  await expect(transaction((tx) => together(long(tx), failing(tx)))).rejects.toThrow('refused')
  expect(done).toEqual(['read 1', 'read 2', 'read 3'])
  expect(await counted(name)).toEqual([])
})

test('builds a statement once, and runs it with different values', async () => {
  const [one, two] = [newId(), newId()]
  let built = 0
  const valuesOf = statement((from, names: string[], min: number, limit: number) => {
    built += 1
    return from
      .selectFrom('counters')
      .select(['name', 'value'])
      .where(inList('name', names))
      .where('value', '>=', min)
      .orderBy('name')
      .limit(limit)
  })
  await transaction(async (tx) => {
    await counter(tx, one, 1).execute()
    await counter(tx, two, 2).execute()
    expect(await valuesOf(tx, [one, two], 0, 10)).toEqual([
      { name: one, value: 1 },
      { name: two, value: 2 },
    ])
  })
  expect(await valuesOf(db, [one, two], 2, 10)).toEqual([{ name: two, value: 2 }])
  expect(await valuesOf(db, [one, two], 0, 1)).toEqual([{ name: one, value: 1 }])
  expect(await valuesOf(db, [], 0, 1)).toEqual([])
  expect(built).toBe(1)
  expect(await valuesOf(db, [two], 0, 10)).toEqual([{ name: two, value: 2 }])
  expect(await valuesOf(db, [one], 0, 10)).toEqual([{ name: one, value: 1 }])
  expect(built).toBe(2)
})

test('a list parameter can hold any text', async () => {
  const names = ['a "quoted" one', String.raw`back\slash`, 'com,ma', '{braces}', 'null', '', '逆境', "it's"].map(
    (name) => `${newId()} ${name}`,
  )
  await transaction(async (tx) => {
    for (const name of names) await counter(tx, name).execute()
  })
  const rows = await db.selectFrom('counters').select('name').where(inList('name', names)).execute()
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

describe('prepared statements of PostgreSQL', () => {
  const failed = (code: string, routine?: string) => Object.assign(new Error(code), { code, routine })

  test('have a name from the second use on, and none if they are turned off', () => {
    const [on, off] = [prepareBy(true), prepareBy(false)]
    expect(on.named('SELECT 1').name).toBeUndefined()
    const { name } = on.named('SELECT 1')
    expect([name, on.named('SELECT 1').name]).toEqual([expect.stringMatching(/^[\w-]{16}$/), name])
    expect([off.named('SELECT 1').name, off.named('SELECT 1').name]).toEqual([undefined, undefined])
  })

  test('count as read-only if they neither write nor lock', () => {
    const { named } = prepareBy(true)
    const reads = [
      'select "updatedAt" from "media"',
      ' SELECT 1',
      'with "a" as (select 1) select * from "a"',
      // Part of each request.
      db.selectFrom('sessions').select(databaseState().as('state')).compile().sql,
    ]
    const others = [
      'select * from "media" for update',
      'SELECT pg_advisory_xact_lock(1)',
      'SELECT pg_notify($1, $2)',
      'insert into "media" values (1)',
      'with "a" as (delete from "media" returning *) select * from "a"',
      'SET TRANSACTION READ ONLY',
    ]
    expect(reads.map((text) => named(text).onlyReads)).toEqual(reads.map(() => true))
    expect(others.map((text) => named(text).onlyReads)).toEqual(others.map(() => false))
  })

  test('get a new name when their columns change, and none once the server does not know them', () => {
    const prepared = prepareBy(true)
    const name = () => [prepared.named('SELECT 1'), prepared.named('SELECT 1')][1]?.name
    const before = name()
    expect(prepared.note(StaleStatement.from(failed('0A000', 'RevalidateCachedQuery'), true))).toBe(true)
    expect(name()).not.toBe(before)
    expect(StaleStatement.from(failed('0A000', 'transformStmt'), true)).toBeUndefined()
    // An earlier statement in the same pipeline failed to prepare it.
    expect(StaleStatement.from(failed('26000'), false)).toBeUndefined()
    expect(prepared.note(failed('26000'))).toBe(false)
    expect(prepared.note(StaleStatement.from(failed('26000'), true))).toBe(true)
    expect(name()).toBeUndefined()
  })

  test.runIf(postgres)('switch to a generic plan, however long their lists are', async ({ skip }) => {
    const { rows: settings } = await sql<{ version: number }>`
      SELECT current_setting('server_version_num')::int AS "version"`.execute(db)
    skip(Number(settings[0]?.version) < 140_000, 'PostgreSQL counts its plans from version 14 on')
    const named = statement((from, names: string[]) =>
      from.selectFrom('counters').select('value').where(inList('name', names)).orderBy('value'),
    )
    await transaction(async (tx) => {
      for (let length = 2; length < 20; length += 1) await named(tx, Array.from({ length }, newId))
      const { rows } = await sql<{ kept: number; made: number }>`
        SELECT "generic_plans" AS "kept", "custom_plans" AS "made" FROM "pg_prepared_statements"
        WHERE "statement" LIKE 'select "value" from "counters"%ANY%order by "value"'`.execute(tx)
      // PostgreSQL makes five custom plans before it considers a generic one.
      expect(rows).toEqual([{ made: 5, kept: 12 }])
    })
  })

  test.runIf(postgres)('are known not to be written if a value cannot be bound', async () => {
    const client = new pg.Client({ connectionString: postgres, pipeline: true })
    await client.connect()
    onTestFinished(() => client.end())
    const unbindable = {
      toPostgres: () => {
        throw new Error('no such form')
      },
    }
    const query = (value: unknown) => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const made = new PreparedQuery({ text: 'SELECT $1', onlyReads: true }, [value], (error) => resolve(error))
      client.query(made as unknown as pg.Submittable)
      return [made.isWritten, promise] as const
    }
    const [bad, good] = [query(unbindable), query('one')]
    expect([bad[0], good[0]]).toEqual([false, true])
    expect(await bad[1]).toMatchObject({ message: 'no such form' })
    expect(await good[1]).toBeNull()
  })

  test.runIf(postgres)('are stale if the connection has the same name prepared with other columns', async () => {
    const client = new pg.Client({ connectionString: postgres })
    await client.connect()
    onTestFinished(() => client.end())
    const asked = { text: 'SELECT 1 AS "one"', name: 'asked', onlyReads: true }
    const answer = () =>
      new Promise<unknown>((resolve, reject) => {
        const done = (error: unknown, result: unknown) => (error ? reject(error) : resolve(result))
        client.query(new PreparedQuery(asked, [], done) as unknown as pg.Submittable)
      })
    for (let each = 0; each < 3; each += 1) expect(await answer()).toMatchObject({ rows: [{ one: 1 }] })
    await client.query('DEALLOCATE "asked"; PREPARE "asked" AS SELECT 1 AS "one", 2 AS "two"')
    await expect(answer()).rejects.toBeInstanceOf(StaleStatement)
    expect(await client.query('SELECT 3 AS "three"')).toMatchObject({ rows: [{ three: 3 }] })
  })

  test.runIf(postgres)('keep working when a newer version adds a column to their table', async () => {
    const read = () => db.selectFrom('counters').selectAll().where('name', '=', 'mediaCount').execute()
    const write = (name: string) =>
      transaction(async (tx) => {
        await tx.selectFrom('counters').selectAll().where('name', '=', 'mediaCount').execute()
        await counter(tx, name).execute()
      })
    const name = newId()
    for (let each = 0; each < 8; each += 1) await Promise.all([read(), write(`${name} a${each}`)])
    await sql`ALTER TABLE "counters" ADD COLUMN "later" text`.execute(db)
    onTestFinished(async () => void (await sql`ALTER TABLE "counters" DROP COLUMN "later"`.execute(db)))
    await Promise.all(Array.from({ length: 8 }, (_, each) => write(`${name} b${each}`)))
    for (let each = 0; each < 8; each += 1) await expect(read()).resolves.toBeInstanceOf(Array)
    expect(await counted(name)).toHaveLength(16)
  })
})

test.runIf(postgres)('concurrent reads share connections, and a failed one does not affect the others', async () => {
  const reads = Array.from({ length: 60 }, (_, at) => sql<{ at: number }>`SELECT ${at}::int AS "at"`.execute(db))
  const wrong = sql`SELECT 1 / (${'0'}::int)`.execute(db).catch((error: unknown) => error)
  expect((await Promise.all(reads)).map(({ rows }) => rows[0]?.at)).toEqual(reads.map((_, at) => at))
  expect(await wrong).toMatchObject({ code: '22012' })
})

test.runIf(postgres)('the server reads and writes behind a pooler in transaction mode', async () => {
  const site = await aSite(postgres)
  onTestFinished(site.remove)
  const pooler = await startPooler(site.env.DATABASE_URL ?? '', 3)
  onTestFinished(pooler.end)
  // A pooler in transaction mode does not forward notifications.
  const server = await startServer({ ...site.env, DATABASE_URL: pooler.url, DATABASE_POOL: '2', LOG_LEVEL: 'silent' })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  expect(await callOn(server)(authApi.login, { body: { email: 'x@example.org', password: 'no' } }).catch(() => 0)).toBe(
    0,
  )
  const token = await signIn(server)
  const call = async (at: number) =>
    at % 3 === 0
      ? (await ask(server, token, 'POST', '/api/media', mediaInput())).status
      : (await ask(server, token, 'GET', `/api/media?page=${at % 2}`.replace('page=0', 'page=1'))).status
  for (let round = 0; round < 6; round += 1) {
    const statuses = await Promise.all(Array.from({ length: 12 }, (_, at) => call(at)))
    expect(statuses).toEqual(Array.from({ length: 12 }, (_, at) => (at % 3 === 0 ? 201 : 200)))
  }
  expect(pooler.lent).toBeGreaterThan(50)
  expect(await faultsOf(site)).toEqual([])
})

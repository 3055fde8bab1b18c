import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { embedded } from './sqlite.ts'

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-sqlite-'))
  const { access, file, driver } = embedded(folder)
  onTestFinished(async () => {
    await driver.destroy()
    rmSync(folder, { recursive: true })
  })
  file.exec('CREATE TABLE "some" ("number" INTEGER)')
  const send = (sql: string, parameters: unknown[] = []) => access.send(CompiledQuery.raw(sql, parameters))
  return { access, send, count: async () => (await send('SELECT count(*) AS "count" FROM "some"')).rows }
}
const insert = (number: number) => CompiledQuery.raw('INSERT INTO "some" VALUES (?)', [number])
/** Far more than a transaction sends before others have their turn. */
const MANY = 5_000_000

test('a long transaction lets others have their turn: they read what was committed before it, and wait to write', async () => {
  const { access, send, count } = open()
  const session = await access.begin()
  const seen: unknown[] = []
  let isWritten = false
  let writing: Promise<unknown> | undefined
  setImmediate(() => {
    writing = send('INSERT INTO "some" VALUES (-1)').then(() => (isWritten = true))
    void count().then((rows) => seen.push(rows))
  })
  let sent = 0
  while (seen.length === 0 && sent < MANY) await session.send(insert(sent++))
  expect(seen).toEqual([[{ count: 0 }]])
  expect(isWritten).toBe(false)
  await session.commit()
  session.release()
  await writing
  expect(await count()).toEqual([{ count: sent + 1 }])
})

test('statements of a transaction keep their order when it lets others have their turn', async () => {
  const { access, send } = open()
  const session = await access.begin()
  const turns: number[] = []
  const timer = setInterval(() => turns.push(sent))
  let sent = 0
  while (turns.length < 3 && sent < MANY) {
    const pair = [session.send(insert(sent++)), session.send(insert(sent++))]
    await pair[0]
    await Promise.all([...pair, session.send(insert(sent++))])
  }
  clearInterval(timer)
  await session.commit()
  session.release()
  const { rows } = await send('SELECT count(*) AS "count" FROM "some" WHERE "number" <> "rowid" - 1')
  expect(rows).toEqual([{ count: 0 }])
  expect(turns.length).toBeGreaterThanOrEqual(3)
})

test('long statements of a transaction that are sent at once let others have their turn after each', async () => {
  const { access } = open()
  const session = await access.begin()
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  // Each takes longer than a transaction may keep others waiting.
  const long = `WITH RECURSIVE "more" ("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "more" WHERE "n" < 1000000)
    INSERT INTO "some" SELECT max("n") FROM "more"`
  await Promise.all(Array.from({ length: 5 }, () => session.send(CompiledQuery.raw(long))))
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(4)
  await session.commit()
  session.release()
})

// Node 24 rounds a row id beyond the safe integers, and Node 26 throws after it has run the statement.
test('returns the exact id of an inserted row, even if it is not a safe integer', async () => {
  const { send } = open()
  await send('CREATE TABLE "large" ("id" INTEGER PRIMARY KEY)')
  const id = 2n ** 53n + 1n
  expect(await send('INSERT INTO "large" VALUES (?)', [id])).toEqual({ rows: [], numAffectedRows: 1n, insertId: id })
  // The last insert id belongs to the connection, and stays after other statements.
  expect(await send('DELETE FROM "large"')).toMatchObject({ numAffectedRows: 1n, insertId: id })
})

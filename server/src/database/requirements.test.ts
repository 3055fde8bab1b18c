import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createMigrated, postgres, queryPostgres } from '#test/postgres.ts'
import { copyDatabaseFrom, copyDatabaseTo } from './copy.ts'
import { closeDatabase, db, engine, openDatabase } from './db.ts'
import { schemaOf } from './migrate.ts'
import { uncreatable, unsuitable } from './requirements.ts'

test.runIf(postgres).each(['SQL_ASCII', 'LATIN1'])(
  'refuses a database with the encoding %s in one sentence, and writes nothing to it',
  async (encoding) => {
    const folder = mkdtempSync(join(tmpdir(), 'mokuroku-encoding-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const name = `test_${encoding.toLowerCase()}_${process.pid}`
    const url = Object.assign(new URL(postgres ?? ''), { pathname: name }).href
    await queryPostgres(
      postgres ?? '',
      `CREATE DATABASE "${name}" ENCODING '${encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0`,
    )
    onTestFinished(async () => void (await queryPostgres(postgres ?? '', `DROP DATABASE "${name}" WITH (FORCE)`)))
    await expect(openDatabase({ url, folder })).rejects.toThrow(
      `The database "${name}" has the encoding ${encoding}, which cannot store every script. Create one with UTF8 ` +
        '(createdb --encoding=UTF8 --template=template0), and name it in DATABASE_URL.',
    )
    const tables = await queryPostgres(url, `SELECT 1 FROM "pg_tables" WHERE "schemaname" = 'public'`)
    expect(tables).toEqual([])
  },
)

const given = {
  name: 'catalogue',
  encoding: 'UTF8',
  version: 150_018,
  digits: 1,
  strings: 'on',
  readOnly: 'off',
  schema: 'public',
}

test('refuses a PostgreSQL version that is too old in one sentence, and accepts later ones', () => {
  expect(unsuitable({ ...given, version: 120_022 })).toBe(
    'Mokuroku needs PostgreSQL 13 or newer; the server at DATABASE_URL is version 12.',
  )
  for (const version of [130_000, 150_018, 180_004]) expect(unsuitable({ ...given, version })).toBeUndefined()
})

/** Tries to open a new database, on which the statements of `prepare(user)` were run, and returns the error message. */
async function refusalAfter(prepare: (user: string) => string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-requirements-'))
  const name = `test_requirements_${process.pid}`
  const server = postgres ?? ''
  const onDatabase = Object.assign(new URL(server), { pathname: name }).href
  await queryPostgres(server, `CREATE DATABASE "${name}" TEMPLATE template0`)
  await queryPostgres(server, `CREATE ROLE "${name}" LOGIN`)
  try {
    await queryPostgres(onDatabase, 'REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    for (const statement of prepare(name)) await queryPostgres(onDatabase, statement)
    const url = Object.assign(new URL(onDatabase), { username: name }).href
    return await openDatabase({ url, folder }).then(
      () => 'nothing',
      (error: Error) => error.message,
    )
  } finally {
    await queryPostgres(server, `DROP DATABASE "${name}" WITH (FORCE)`)
    await queryPostgres(server, `DROP ROLE "${name}"`)
    rmSync(folder, { recursive: true })
  }
}

test.runIf(postgres).each<[why: string, prepare: (user: string) => string[], sentence: string | RegExp]>([
  [
    'the user may not create tables',
    () => [],
    'The user in DATABASE_URL may not create tables (permission denied for schema public). Make it the owner of the database: ALTER DATABASE … OWNER TO ….',
  ],
  [
    'the tables belong to another user',
    () => ['CREATE TABLE "migrations" ("name" TEXT PRIMARY KEY, "appliedAt" TEXT)'],
    'The user in DATABASE_URL may not use the tables, which belong to another user (permission denied for table migrations). Connect as their owner, or make this user the owner: REASSIGN OWNED BY … TO ….',
  ],
  [
    'there is no schema for them',
    (user) => [`ALTER ROLE "${user}" SET search_path = 'nowhere'`],
    'The search_path of the user in DATABASE_URL names no existing schema. Create the schema, or change the search_path.',
  ],
  [
    'tables would be temporary',
    (user) => [`ALTER ROLE "${user}" SET search_path = pg_temp, public`],
    'The search_path of the user in DATABASE_URL begins with pg_temp, where tables last only until the connection ends. Put another schema first: ALTER ROLE … SET search_path = public.',
  ],
  [
    'its transactions are read-only',
    (user) => [`ALTER ROLE "${user}" SET default_transaction_read_only = on`],
    'The setting default_transaction_read_only is on for the user in DATABASE_URL, and Mokuroku needs it to be off. Change it: ALTER ROLE … SET default_transaction_read_only = off.',
  ],
  [
    'it may not connect',
    (user) => [`REVOKE CONNECT ON DATABASE "${user}" FROM PUBLIC`],
    /^The user in DATABASE_URL may not connect to the database \(permission denied for database "\w+"\)\. Allow it: GRANT CONNECT ON DATABASE … TO …\.$/,
  ],
  [
    'numbers are rounded',
    (user) => [`ALTER ROLE "${user}" SET extra_float_digits = 0`],
    'The setting extra_float_digits is 0 for the user in DATABASE_URL, and Mokuroku needs it to be 1. Change it: ALTER ROLE … SET extra_float_digits = 1.',
  ],
])('refuses to start, in one sentence, if %s', async (_, prepare, sentence) => {
  expect(await refusalAfter(prepare)).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence))
})

test.runIf(postgres).each<[why: string, prepare: (user: string) => string[], sentence: string]>([
  [
    'the user may not create tables',
    () => ['DROP SCHEMA "public" CASCADE', 'CREATE SCHEMA "public"'],
    'The user in DATABASE_URL may not create tables (permission denied for schema public). Make it the owner of the database: ALTER DATABASE … OWNER TO ….',
  ],
  [
    'the tables belong to another user',
    (user) => [`GRANT ALL ON ALL TABLES IN SCHEMA "public" TO "${user}"`],
    'The user in DATABASE_URL may not use the tables, which belong to another user (must be owner of table migrations). Connect as their owner, or make this user the owner: REASSIGN OWNED BY … TO ….',
  ],
])('restores no row, and says why in one sentence, if %s', async (_, prepare, sentence) => {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-restoring-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const backup = join(folder, 'backup.sqlite')
  await openDatabase({ folder, url: undefined })
  await copyDatabaseTo(backup, () => undefined)
  await closeDatabase()
  const [url, user] = [await createMigrated(postgres ?? ''), `test_restoring_${process.pid}`]
  await queryPostgres(url, `CREATE ROLE "${user}" LOGIN`)
  onTestFinished(async () => {
    await closeDatabase()
    await queryPostgres(url, `DROP OWNED BY "${user}"`)
    await queryPostgres(url, `DROP ROLE "${user}"`)
  })
  for (const statement of [...prepare(user), `GRANT USAGE ON SCHEMA "public" TO "${user}"`])
    await queryPostgres(url, statement)
  await openDatabase({ url: Object.assign(new URL(url), { username: user }).href, folder, upgrade: false })
  const tables: string[] = []
  await expect(copyDatabaseFrom(backup, 'ab', (table) => tables.push(table))).rejects.toThrow(sentence)
  expect(tables).toEqual([])
})

test.runIf(postgres)('says the same if PostgreSQL reports errors in another language', async () => {
  const denied = (message: string) => Object.assign(new Error(message), { code: '42501', severity: '致命错误' })
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-language-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  await openDatabase({ url: await createMigrated(postgres ?? ''), folder })
  const ofTable = await uncreatable(denied('对表 tags 权限不够'), schemaOf(db, engine))
  await closeDatabase()
  expect(ofTable?.message).toContain('may not use the tables, which belong to another user (对表 tags 权限不够).')
  const ofDatabase = await uncreatable(denied('访问数据库 "catalogue" 的权限不够'), schemaOf(db, engine))
  expect(ofDatabase?.message).toContain('may not connect to the database (访问数据库 "catalogue" 的权限不够).')
})

test('refuses a user with standard_conforming_strings off', () => {
  expect(unsuitable({ ...given, strings: 'off' })).toBe(
    'The setting standard_conforming_strings is off for the user in DATABASE_URL, and Mokuroku needs it to be on. Change it: ALTER ROLE … SET standard_conforming_strings = on.',
  )
})

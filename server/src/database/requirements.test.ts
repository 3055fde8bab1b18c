import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { queryPostgres } from '#test/postgres.ts'
import { openDatabase } from './db.ts'
import { unsuitable } from './requirements.ts'

const postgres = process.env.ENGINE === 'postgres' ? process.env.TEST_DATABASE_URL : undefined

test.runIf(postgres).each(['SQL_ASCII', 'LATIN1'])(
  'a database in %s is refused in one sentence, and nothing is written to it',
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
      `The database "${name}" has the encoding ${encoding}, which does not hold every script. Create one with UTF8 ` +
        '(createdb --encoding=UTF8 --template=template0), and name it in DATABASE_URL.',
    )
    const tables = await queryPostgres(url, `SELECT 1 FROM "pg_tables" WHERE "schemaname" = 'public'`)
    expect(tables).toEqual([])
  },
)

test('a version that is too old is refused in one sentence, and later ones are not', () => {
  const given = { name: 'catalogue', encoding: 'UTF8' }
  expect(unsuitable({ ...given, version: 120_022 })).toBe(
    'Mokuroku needs PostgreSQL 13 or newer, and DATABASE_URL leads to version 12.',
  )
  for (const version of [130_000, 150_018, 180_004]) expect(unsuitable({ ...given, version })).toBeUndefined()
})

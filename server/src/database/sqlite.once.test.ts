import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { embedded } from './sqlite.ts'

// Node 24 rounds a row id beyond the safe integers, and Node 26 throws after it has run the statement.
test('returns the exact id of an inserted row, even if it is not a safe integer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-sqlite-'))
  const { access, file } = embedded(folder)
  onTestFinished(() => {
    file.close()
    rmSync(folder, { recursive: true })
  })
  const send = (sql: string, parameters: unknown[] = []) => access.send(CompiledQuery.raw(sql, parameters))
  await send('CREATE TABLE "large" ("id" INTEGER PRIMARY KEY)')
  const id = 2n ** 53n + 1n
  expect(await send('INSERT INTO "large" VALUES (?)', [id])).toEqual({ rows: [], numAffectedRows: 1n, insertId: id })
  // The last insert id belongs to the connection, and stays after other statements.
  expect(await send('DELETE FROM "large"')).toMatchObject({ numAffectedRows: 1n, insertId: id })
})

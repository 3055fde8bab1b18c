import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { operator } from './operator.ts'
import { freePort, refusedStart } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'mokuroku-refused-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('refuses to start with an invalid value, and names the variable in one line', async () => {
  const { code, errors } = await refusedStart({ DATA_DIR: join(folder, 'bad'), PORT: 'ninety' })
  expect(code).toBe(1)
  expect(errors).toBe('Mokuroku cannot start. PORT: must be a whole number from 1 to 65535\n')
})

test('refuses to start, with one line, if the database cannot be reached', async () => {
  const DATABASE_URL = `postgres://nobody@127.0.0.1:${await freePort()}/nothing`
  for (const wait of [{}, { DATABASE_WAIT: '1' }]) {
    const { code, errors } = await refusedStart({ DATA_DIR: join(folder, 'unreachable'), DATABASE_URL, ...wait })
    expect(code).toBe(1)
    expect(errors).toBe('Mokuroku cannot start. The database at DATABASE_URL cannot be reached. Is it running?\n')
  }
})

test('an admin command fails, with one line, if the database cannot be reached', async () => {
  const env = {
    DATA_DIR: join(folder, 'unreachable'),
    DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/nothing`,
  }
  expect(await operator({ env }, ['verify'])).toEqual({
    code: 1,
    output: '',
    errors: 'The database at DATABASE_URL cannot be reached. Is it running?',
  })
})

test('refuses to start, with one line, if HOST cannot be resolved or is the address of another machine', async () => {
  for (const HOST of ['nowhere.invalid', '192.0.2.1']) {
    const DATA_DIR = join(folder, HOST)
    const { code, errors, output } = await refusedStart({ DATA_DIR, HOST })
    expect(code).toBe(1)
    // Nothing is created, above all no administrator, whose password is printed.
    expect(output).toBe('')
    expect(readdirSync(DATA_DIR)).not.toContain('catalogue.sqlite')
    expect(errors).toBe('Mokuroku cannot start. HOST is not an address of this machine. Set HOST to one that is.\n')
  }
})

test('refuses to start, with one line, if the data folder is not writable', async () => {
  // Root may write everywhere, so there is a file in place of the folder.
  const DATA_DIR = join(folder, 'a file')
  writeFileSync(DATA_DIR, '')
  const { code, errors } = await refusedStart({ DATA_DIR })
  expect(code).toBe(1)
  expect(errors).toBe(
    `Mokuroku cannot start. The data folder ${DATA_DIR} cannot be written. Set DATA_DIR to a folder that can.\n`,
  )
})

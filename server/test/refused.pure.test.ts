import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { operator } from './operator.ts'
import { freePort, refusedStart } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'mokuroku-refused-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['PORT', 'ninety', /^Mokuroku cannot start\. PORT: .+\n$/],
  ['DATABASE_URL', 'mysql://127.0.0.1/x', /^Mokuroku cannot start\. DATABASE_URL: must start with postgres:\/\/\n$/],
  ['SMTP_URL', 'mail.example.org', /^Mokuroku cannot start\. SMTP_URL: .+\n$/],
  ['MAIL_FROM', 'nobody', /^Mokuroku cannot start\. MAIL_FROM: must be an e-mail address\n$/],
  ['AI_BASE_URL', 'ftp://models.example.org', /^Mokuroku cannot start\. AI_BASE_URL: Must be an http or https .+\n$/],
  ['AUTH_SECRET', 'short', /^Mokuroku cannot start\. AUTH_SECRET: must have at least 32 characters\n$/],
])('refuses to start with an invalid %s, and names it in one line', async (name, value, line) => {
  const { code, errors } = await refusedStart({ DATA_DIR: join(folder, 'bad'), [name]: value })
  expect(code).toBe(1)
  expect(errors).toMatch(line)
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
    const { code, errors } = await refusedStart({ DATA_DIR: join(folder, HOST), HOST })
    expect(code).toBe(1)
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

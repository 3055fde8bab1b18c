// What a start does with its data folder and its port; the kind of database does not matter.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { ADMIN, readerOf } from '../crash.ts'
import { refusedStart, sayingWhatIsLoaded, startServer } from '../process.ts'
import { signIn } from './site.ts'

/** Large packages: clients of other services, file parsers, dictionaries, and Fastify's schemas. */
const ON_FIRST_USE =
  /^(@aws-sdk|@smithy|ai$|@ai-sdk|nodemailer|@opentelemetry\/(?!api$)|sharp|@img|mediabunny|file-type|saxes|yauzl|yazl|bangumi-data|lindera|@zxcvbn-ts|@fastify\/(ajv|fast-json-stringify)-compiler|ajv|light-my-request)/

let folder: string
const folders: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mokuroku-start-'))
  folders.push(folder)
})
afterAll(() => {
  for (const each of folders) rmSync(each, { recursive: true, force: true })
})

test('refuses to start, with one line, if the data folder is in use by another server', async () => {
  const server = await startServer({ DATA_DIR: folder })
  const { code, errors } = await refusedStart({ DATA_DIR: folder })
  await server.end()
  expect(code).toBe(1)
  expect(errors).toBe(
    `Mokuroku cannot start. The data folder ${folder} is in use by another process. ` +
      'Stop it, or set DATA_DIR to another folder.\n',
  )
})

test('refuses to start, with one line, if the port is in use', async () => {
  const server = await startServer({ DATA_DIR: folder })
  const { port } = server
  const { code, errors } = await refusedStart({ DATA_DIR: join(folder, 'other'), PORT: String(port) })
  await server.end()
  expect(code).toBe(1)
  expect(errors).toBe(
    `Mokuroku cannot start. Port ${port} is already in use. Stop the other program, or set PORT to another one.\n`,
  )
})

test('refuses to start, with one line, if the data folder cannot be created or written', async () => {
  writeFileSync(join(folder, 'file'), '')
  chmodSync(join(folder, 'file'), 0o666)
  symlinkSync('/nowhere', join(folder, 'link'))
  // Other accounts than root may not write there, and are told so.
  const inProc =
    process.platform === 'linux' && process.getuid?.() === 0 ? ['/proc', '/proc/data', '/proc/data/inner'] : []
  for (const path of [join(folder, 'file'), join(folder, 'file', 'data'), join(folder, 'link', 'data'), ...inProc]) {
    const { code, errors } = await refusedStart({ DATA_DIR: path })
    expect(code).toBe(1)
    expect(errors).toBe(
      `Mokuroku cannot start. The data folder ${path} cannot be written. Set DATA_DIR to a folder that can.\n`,
    )
  }
  // It may be a device.
  expect(statSync(join(folder, 'file')).mode & 0o777).toBe(0o666)
})

test('refuses to start, with one line, if the path of the data folder is too long', async () => {
  const { code, errors } = await refusedStart({ DATA_DIR: join(folder, 'x'.repeat(300)) })
  expect([code, errors]).toEqual([
    1,
    'Mokuroku cannot start. The path of the data folder is too long. Set DATA_DIR to a shorter one.\n',
  ])
})

test.each<[string, string, (path: string) => void, string]>([
  [
    'holds something else',
    'catalogue.sqlite',
    (path) => writeFileSync(path, 'a text that is longer than the header of a database'.repeat(10)),
    'is not a database, or is damaged. Restore a backup into an empty folder, and set DATA_DIR to it.',
  ],
  [
    'is damaged',
    'catalogue.sqlite',
    (path) => damage(path),
    'is damaged. Restore a backup into an empty folder, and set DATA_DIR to it.',
  ],
  [
    'is a folder',
    'catalogue.sqlite',
    (path) => mkdirSync(path),
    'cannot be opened. Make sure that it is a file, as are those whose names begin like it, and that this account may read and write them.',
  ],
  [
    'is no database either',
    'lock.sqlite',
    (path) => writeFileSync(path, 'a text that is longer than the header of a database'.repeat(10)),
    'is not a database, or is damaged. Restore a backup into an empty folder, and set DATA_DIR to it.',
  ],
])('refuses to start, with one line, if a file of the database %s', async (_, name, prepare, reason) => {
  const data = mkdtempSync(join(folder, 'damaged-'))
  prepare(join(data, name))
  const { code, errors } = await refusedStart({ DATA_DIR: data })
  expect(code).toBe(1)
  expect(errors).toBe(`Mokuroku cannot start. The file ${join(data, name)} ${reason}\n`)
})

test('refuses to start, with one line, while another program uses the database', async () => {
  const data = mkdtempSync(join(folder, 'used-'))
  const path = join(data, 'catalogue.sqlite')
  const other = new DatabaseSync(path)
  other.exec('CREATE TABLE "anything" ("at" INTEGER); BEGIN EXCLUSIVE')
  const { errors } = await refusedStart({ DATA_DIR: data })
  other.close()
  expect(errors).toBe(
    `Mokuroku cannot start. The file ${path} is in use by another program, such as a database browser. Close it there, then start again.\n`,
  )
})

test('refuses to start, with one line, on the tables of another application', async () => {
  const data = mkdtempSync(join(folder, 'taken-'))
  const other = new DatabaseSync(join(data, 'catalogue.sqlite'))
  other.exec('CREATE TABLE "users" ("id" INTEGER)')
  other.close()
  const { errors } = await refusedStart({ DATA_DIR: data })
  expect(errors).toBe(
    'Mokuroku cannot start. The database in the data folder has tables of another application (users). Set DATA_DIR to a folder for Mokuroku alone.\n',
  )
})

/** Makes a database whose pages after the first are overwritten. */
function damage(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('CREATE TABLE "migrations" ("name" TEXT PRIMARY KEY, "appliedAt" TEXT, "isAdditive" INTEGER)')
  database.close()
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0x5a, 100, 4096))
}

test('refuses to start on a backup', async () => {
  const backup = join(folder, 'backup')
  mkdirSync(backup)
  for (const name of ['catalogue.sqlite', 'checksums.txt', 'manifest.json']) writeFileSync(join(backup, name), '')
  const { code, errors } = await refusedStart({ DATA_DIR: backup })
  expect([code, errors]).toEqual([
    1,
    `Mokuroku cannot start. ${backup} is a backup. Set DATA_DIR to an empty folder, and restore it there: npm run admin -- restore ${backup}\n`,
  ])
  expect(readdirSync(backup).toSorted()).toEqual(['catalogue.sqlite', 'checksums.txt', 'manifest.json'])
})

test('replaces an empty secret, and refuses to start with a damaged one', async () => {
  const env = { DATA_DIR: folder }
  writeFileSync(join(folder, 'secret'), '')
  const server = await startServer({ ...env, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password })
  expect(await signIn(server)).toMatch(/./)
  await server.end()
  const whole = readFileSync(join(folder, 'secret'), 'utf8')
  expect(whole).toHaveLength(43)
  writeFileSync(join(folder, 'secret'), whole.slice(0, 10))
  const { code, errors } = await refusedStart(env)
  expect(code).toBe(1)
  expect(errors).toBe(
    `Mokuroku cannot start. ${join(folder, 'secret')} is damaged. ` +
      'Restore it from a backup, or delete it: everyone then has to sign in again.\n',
  )
})

test('loads no library at startup, or to index a catalogue without texts, that only some requests need', async () => {
  const server = await startServer({ DATA_DIR: folder }, { ...sayingWhatIsLoaded, isSource: true })
  const indexed = `SELECT "value" FROM "counters" WHERE "name" = 'searchVersion' AND "value" > 0`
  await expect.poll(() => readerOf(folder, undefined)(indexed)).toHaveLength(1)
  const loaded = new Set(server.output().match(/(?<=^loaded .*node_modules\/)(@[^/]+\/)?[^/]+/gm))
  await server.end()
  expect(loaded).toContain('fastify')
  expect([...loaded].filter((name) => ON_FIRST_USE.test(name))).toEqual([])
})

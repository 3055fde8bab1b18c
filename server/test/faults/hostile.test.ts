import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSite, type Row, type Site } from '../crash.ts'
import { aSound } from '../files.ts'
import { type Running, startServer } from '../process.ts'
import { aForm, ask, signIn, until } from './site.ts'

const postgres = process.env.ENGINE === 'postgres' ? process.env.TEST_DATABASE_URL : undefined
let site: Site
let server: Running
let token: string

beforeAll(async () => {
  site = await aSite(postgres)
  server = await startServer(site.env)
  token = await signIn(server)
}, 60_000)
afterAll(async () => {
  await server.end()
  await site.remove()
})

const rowOf = async (id: string): Promise<Row> => {
  const [row] = await site.read(`SELECT * FROM "assets" WHERE "_id" = '${id}'`)
  if (!row) throw new Error(`No asset ${id}`)
  return row
}

/** Ends the server, as a power cut does, and starts it again when `meanwhile` is done. */
async function restarted(meanwhile: () => Promise<unknown>): Promise<void> {
  await server.end('SIGKILL')
  await meanwhile()
  server = await startServer(site.env)
  token = await signIn(server)
}

test('a file that the server went down with once is tried once more, and works', async () => {
  const { _id: id } = (await ask(server, token, 'POST', '/api/assets', aForm(aSound(), 'fine.wav'))).body
  await restarted(() => site.write(`UPDATE "assets" SET "status" = 'PROCESSING', "attempts" = 1 WHERE "_id" = '${id}'`))
  await until('it is ready', async () => (await rowOf(id)).status === 'READY')
  // A person may try again what has failed, also when it was given up.
  await restarted(() => site.write(`UPDATE "assets" SET "status" = 'ERROR', "attempts" = 2 WHERE "_id" = '${id}'`))
  expect((await ask(server, token, 'POST', `/api/assets/${id}/retry`)).status).toBe(200)
  await until('it is ready again', async () => (await rowOf(id)).status === 'READY')
}, 120_000)

test('a damaged file fails at the first attempt, with the reason', async () => {
  const { body } = await ask(server, token, 'POST', '/api/assets', aForm(aSound(), 'other.wav'))
  const key = String((await rowOf(body._id)).storageKey)
  writeFileSync(join(site.env.DATA_DIR ?? '', 'files', key), 'no sound')
  await restarted(() =>
    site.write(`UPDATE "assets" SET "status" = 'PENDING', "attempts" = 0 WHERE "_id" = '${body._id}'`),
  )
  await until('it has failed', async () => (await rowOf(body._id)).status === 'ERROR')
  expect(await rowOf(body._id)).toMatchObject({ failure: expect.stringContaining('is not readable'), attempts: 1 })
}, 60_000)

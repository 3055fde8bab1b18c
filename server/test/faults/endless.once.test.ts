import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSite, type Row, type Site } from '../crash.ts'
import { endlessFlac } from '../hostile.ts'
import { type Running, startServer } from '../process.ts'
import { aForm, ask, signIn, until } from './site.ts'

const UNFIT = 'The file takes too much time or memory to process. Try again, or upload it in another format.'
let site: Site
let server: Running
let token: string

beforeAll(async () => {
  site = await aSite()
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

test('class 16: a file that ends what processes it is tried twice, has failed then, and a start leaves it alone', async () => {
  const sent = await ask(server, token, 'POST', '/api/assets', aForm(endlessFlac(), 'endless.flac'))
  expect(sent.status).toBe(201)
  const id = sent.body._id
  const failed = () => until('it has failed', async () => (await rowOf(id)).status === 'ERROR', 120_000)
  await failed()
  expect(await rowOf(id)).toMatchObject({ status: 'ERROR', failure: UNFIT, attempts: 2 })
  // As it is when the server goes down with the file.
  await restarted(() =>
    site.write(`UPDATE "assets" SET "status" = 'PROCESSING', "failure" = NULL WHERE "_id" = '${id}'`),
  )
  await failed()
  expect(await rowOf(id)).toMatchObject({ failure: UNFIT, attempts: 2 })
  const { data } = (await ask(server, token, 'GET', '/api/assets?search=endless')).body as unknown as { data: Row[] }
  expect(data).toMatchObject([{ status: 'ERROR', failure: UNFIT }])
}, 300_000)

import { mkdirSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { originalKey } from '../../src/assets/keys.ts'
import { aSite, type Site } from '../crash.ts'
import { aPicture } from '../files.ts'
import { startServer } from '../process.ts'
import { aForm, appended, ask, faultsOfFiles, settled, signIn, until } from './site.ts'

let site: Site
let files: string

beforeAll(async () => {
  site = await aSite()
  files = join(site.env.DATA_DIR ?? '', 'files')
})
afterAll(() => site.remove())

const upload = async (token: string) => {
  const server = (site.server ??= await startServer(site.env))
  return ask(server, token, 'POST', '/api/assets', aForm(await aPicture(400, 300), 'a.png'))
}

test('answers 503 only for files while their folder is missing, and recovers when it is back', async () => {
  const server = (site.server ??= await startServer(site.env))
  const token = await signIn(server)
  const { _id } = (await upload(token)).body
  await settled(site)
  const { url } = (await ask(server, token, 'GET', `/api/assets/${_id}`)).body
  const gone = (await upload(token)).body
  await settled(site)
  await ask(server, token, 'DELETE', `/api/assets/${gone._id}`)
  const started = await ask(server, token, 'POST', '/api/uploads', { filename: 'a.wav', size: 1000 })
  await appended(server, token, started.body._id, new Uint8Array(500), 500)
  renameSync(files, `${files}-away`)
  expect(await upload(token)).toMatchObject({
    status: 503,
    body: { code: 'unavailable', message: 'File storage is unavailable.' },
  })
  const sound = { filename: 'a.wav', size: 1000 }
  expect((await ask(server, token, 'POST', '/api/uploads', sound)).status).toBe(503)
  expect((await ask(server, token, 'GET', String(url))).status).toBe(503)
  expect((await ask(server, token, 'GET', `/api/uploads/${started.body._id}`)).status).toBe(503)
  expect((await ask(server, token, 'GET', '/api/assets')).status).toBe(200)
  expect((await ask(server, token, 'DELETE', `/api/trash/Asset/${gone._id}`)).status).toBe(200)
  renameSync(`${files}-away`, files)
  expect((await ask(server, token, 'GET', String(url))).status).toBe(200)
  const file = join(files, basename(String(url)))
  renameSync(file, `${file}.away`)
  expect((await ask(server, token, 'GET', String(url))).status).toBe(404)
  renameSync(`${file}.away`, file)
  expect((await ask(server, token, 'GET', `/api/uploads/${started.body._id}`)).body.offset).toBe(500)
  expect((await upload(token)).status).toBe(201)
  await settled(site)
  expect(await faultsOfFiles(site)).toEqual([])
  // The files of assets that were permanently deleted meanwhile are scheduled, and deleted at the next start.
  expect(await site.read('SELECT "key" FROM "removals"')).toHaveLength(1)
  await server.end()
  site.server = await startServer(site.env)
  await until('what was noted is gone', async () => (await site.read('SELECT "key" FROM "removals"')).length === 0)
  expect(await faultsOfFiles(site)).toEqual([])
})

test('reports an asset whose file is missing as failed, and processes it on retry once the file is back', async () => {
  const server = (site.server ??= await startServer(site.env))
  const token = await signIn(server)
  const { _id } = (await upload(token)).body
  await settled(site)
  await server.end()
  await site.write(`UPDATE "assets" SET "status" = 'PROCESSING' WHERE "_id" = '${_id}'`)
  const [row] = await site.read(`SELECT "storageKey" FROM "assets" WHERE "_id" = '${_id}'`)
  const key = String(row?.storageKey)
  const original = originalKey(key)
  const away = join(site.env.DATA_DIR ?? '', 'away')
  mkdirSync(away)
  renameSync(join(files, original), join(away, original))
  renameSync(join(files, key), join(away, key))
  const next = (site.server = await startServer(site.env))
  await settled(site)
  const { body } = await ask(next, token, 'GET', `/api/assets/${_id}`)
  expect(body).toMatchObject({ status: 'ERROR', failure: 'The file is no longer on the server.' })
  renameSync(join(away, original), join(files, original))
  expect((await ask(next, token, 'GET', `/files/${key}`)).status).toBe(404)
  expect((await ask(next, token, 'POST', `/api/assets/${_id}/retry`)).status).toBe(200)
  await settled(site)
  expect(await faultsOfFiles(site)).toEqual([])
})

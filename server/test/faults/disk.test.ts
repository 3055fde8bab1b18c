import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN, faultsOf, readerOf, type Site } from '../crash.ts'
import { operator } from '../operator.ts'
import { createDatabase, postgres } from '../postgres.ts'
import { aPicture, aSound } from '../files.ts'
import { freePort, refusedStart, type Running, startServer } from '../process.ts'
import { startOwnPostgres, unprivileged } from '../../../scripts/postgres.ts'
import { aDisk, canMount } from './disk.ts'
import { aForm, appended, ask, faultsOfFiles, LONG, saved, settled, signIn, siteOn, until } from './site.ts'

const FULL = {
  status: 507,
  body: { code: 'full', message: 'The server’s disk is full. Free some space and try again.' },
}
const noise = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: '#000', noise: { type: 'gaussian', mean: 128, sigma: 60 } },
  })
    .png()
    .toBuffer()

describe.runIf(canMount)('on a full disk', () => {
  let disk: ReturnType<typeof aDisk>
  let site: Site
  let server: Running
  let token: string
  let readable: string[]

  beforeAll(async () => {
    disk = aDisk(24)
    ;({ site, server, token } = await siteOn(disk.folder))
    const { _id } = (await saved(server, token, '')).body
    const picture = (await ask(server, token, 'POST', '/api/assets', aForm(await aPicture(), 'a.png'))).body
    await settled(site)
    const { url } = (await ask(server, token, 'GET', `/api/assets/${picture._id}`)).body
    readable = [`/api/media/${_id}`, '/api/media', '/api/search?q=Large&indexName=media', '/api/assets', String(url)]
  })
  afterAll(async () => {
    await site.remove()
    disk.remove()
  })

  const incoming = (): string[] => readdirSync(join(site.env.DATA_DIR ?? '', 'files/incoming'))
  const expectReadable = async () => {
    for (const path of readable) expect([path, (await ask(server, token, 'GET', path)).status]).toEqual([path, 200])
  }

  test.skipIf(postgres)(
    'refuses saves with a clear message, keeps reading, and recovers when there is space',
    async () => {
      // Reading stores when a session was last used, and must not fail with that.
      await site.write(`UPDATE "sessions" SET "lastSeen" = '2020-01-01T00:00:00.000Z'`)
      disk.fill()
      let answer = await saved(server, token)
      for (let tries = 0; answer.status === 201 && tries < 200; tries++) answer = await saved(server, token)
      expect(answer).toMatchObject(FULL)
      await expectReadable()
      const before = await site.read('SELECT "_id" FROM "media"')
      const translations = { en: { title: 'Batch', description: LONG } }
      const batch = before.slice(0, 5).map(({ _id }) => ({ id: _id, translations }))
      expect(await ask(server, token, 'PUT', '/api/translations/media/batch', batch)).toMatchObject(FULL)
      expect(await faultsOf(site)).toEqual([])
      disk.free()
      expect((await saved(server, token)).status).toBe(201)
      expect(await site.read('SELECT "_id" FROM "media"')).toHaveLength(before.length + 1)
    },
  )

  test('refuses uploads, whole or in parts, leaves no stray files, and recovers when there is space', async () => {
    const sound = aSound(100)
    const started = await ask(server, token, 'POST', '/api/uploads', { filename: 'a.wav', size: sound.length })
    await appended(server, token, started.body._id, sound.subarray(0, 5000), 5000)
    disk.fill(8192)
    expect(await ask(server, token, 'POST', '/api/assets', aForm(sound, 'whole.wav'))).toMatchObject(FULL)
    expect(await appended(server, token, started.body._id, sound, sound.length, 5000)).toMatchObject(FULL)
    expect(incoming()).toEqual([`${started.body._id}.part`])
    await expectReadable()
    disk.free()
    expect((await ask(server, token, 'POST', '/api/assets', aForm(sound, 'whole.wav'))).status).toBe(201)
    const { body } = await ask(server, token, 'GET', `/api/uploads/${started.body._id}`)
    const rest = await appended(server, token, started.body._id, sound, sound.length, Number(body.offset))
    expect(rest).toMatchObject({ status: 200, body: { asset: { size: sound.length } } })
    await settled(site)
    expect([...(await faultsOf(site)), ...(await faultsOfFiles(site))]).toEqual([])
  })

  test('keeps an image waiting that cannot be processed, and processes it when there is space', async () => {
    const picture = await noise(700, 700)
    disk.fill(picture.length + 200_000)
    const { status, body } = await ask(server, token, 'POST', '/api/assets', aForm(picture, 'noise.png'))
    expect([status, body.status]).toEqual([201, 'PROCESSING'])
    disk.free()
    await settled(site)
    const { body: asset } = await ask(server, token, 'GET', `/api/assets/${body._id}`)
    expect(asset).toMatchObject({ status: 'READY', dimensions: { width: 700, height: 700 } })
    expect(await faultsOfFiles(site)).toEqual([])
  })

  test('refuses to start, with one line, and starts normally when there is space', async () => {
    await server.end()
    site.server = undefined
    const DATABASE_URL = postgres && (await createDatabase(postgres))
    const first = { DATA_DIR: join(disk.folder, 'first'), DATABASE_URL }
    disk.fill()
    for (const env of postgres ? [first] : [first, site.env])
      expect(await refusedStart(env)).toMatchObject({
        code: 1,
        errors: `Mokuroku cannot start. ${FULL.body.message}\n`,
      })
    disk.free()
    await (await startServer(first)).end()
    server = site.server = await startServer(site.env)
    await expectReadable()
  })

  test('refuses a backup to another disk that is full, and a check, with one line each', async () => {
    const other = aDisk(40)
    onTestFinished(() => other.remove())
    const backup = join(other.folder, 'backup')
    const { DATA_DIR = '', DATABASE_URL } = site.env
    const place = { env: { ...site.env, DATA_DIR, DATABASE_URL } }
    const line = /^A disk is full: .+\. Free some space and try again\.$/
    other.fill(300_000)
    expect(await operator(place, ['backup', backup])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(line) as string,
    })
    other.free()
    expect(await operator(place, ['backup', backup])).toMatchObject({ code: 0, errors: '' })
    const restored = { env: { DATA_DIR: join(other.folder, 'data'), DATABASE_URL: undefined } }
    expect(await operator(restored, ['restore', backup])).toMatchObject({ code: 0, errors: '' })
    other.fill()
    expect(await operator(restored, ['verify'])).toMatchObject({
      code: 1,
      errors: expect.stringMatching(line) as string,
    })
    other.free()
    expect(await operator(restored, ['verify'])).toMatchObject({ code: 0, errors: '' })
  })

  test('loses only the log lines written to that disk', async () => {
    const port = await freePort()
    const file = join(disk.folder, 'log')
    const log = openSync(file, 'a')
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'mokuroku-log-'))
    const env = {
      PATH: process.env.PATH,
      DATA_DIR,
      PORT: String(port),
      LOG_LEVEL: 'error',
      AUTH_SECRET: 'x'.repeat(32),
    }
    const own = { ...env, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password }
    const main = join(import.meta.dirname, '../../dist/main.js')
    const child = spawn(process.execPath, [main], { env: own, stdio: ['ignore', log, log] })
    onTestFinished(() => {
      child.kill('SIGKILL')
      closeSync(log)
      rmSync(DATA_DIR, { recursive: true, force: true })
    })
    const other = { url: `http://127.0.0.1:${port}` } as Running
    await until('the server answers', () =>
      fetch(`${other.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const right = await signIn(other)
    rmSync(join(DATA_DIR, 'files'), { recursive: true })
    const upload = async () => ask(other, right, 'POST', '/api/assets', aForm(await aPicture(), 'a.png'))
    disk.fill()
    for (let each = 0; each < 5; each++) expect((await upload()).status).toBe(503)
    disk.free()
    expect((await upload()).status).toBe(503)
    expect(readFileSync(file, 'utf8')).toContain('call failed')
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })
})

describe.runIf(canMount && postgres)('when the disk of the database server is full', () => {
  test('answers 507 to saves, keeps reading, and recovers when there is space', async () => {
    // On a shared server, other connections would have to write this database's changed pages to the full disk, and
    // fail.
    const own = await startOwnPostgres()
    onTestFinished(() => own.stop())
    const disk = aDisk(40)
    const folder = mkdtempSync(join(tmpdir(), 'mokuroku-space-'))
    onTestFinished(() => {
      disk.remove()
      rmSync(folder, { recursive: true, force: true })
    })
    const read = readerOf('', own.url)
    const space = join(disk.folder, 'space')
    mkdirSync(space)
    const { uid = 0, gid = uid } = unprivileged()
    chownSync(space, uid, gid)
    const name = `small${Date.now()}`
    await read(`CREATE TABLESPACE "${name}" LOCATION '${space}'`)
    await read(`CREATE DATABASE "${name}" TABLESPACE "${name}"`)
    const url = new URL(own.url)
    url.pathname = `/${name}`
    const env = { DATA_DIR: folder, DATABASE_URL: url.toString() }
    const server = await startServer({ ...env, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password })
    try {
      const token = await signIn(server)
      disk.fill()
      let answer = await saved(server, token)
      for (let tries = 0; answer.status === 201 && tries < 300; tries++) answer = await saved(server, token)
      expect(answer).toMatchObject(FULL)
      expect((await ask(server, token, 'GET', '/api/media')).status).toBe(200)
      disk.free()
      expect((await saved(server, token)).status).toBe(201)
      expect((await server.end()).code).toBe(0)
    } finally {
      await server.end('SIGKILL')
      await read(`DROP DATABASE "${name}" WITH (FORCE)`)
      await read(`DROP TABLESPACE "${name}"`)
    }
  })
})

// The machine's clock changes, which matters with SQLite. With PostgreSQL, the database's clock matters
// (clocks.test.ts).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aSite, faultsOf, type Site } from '../crash.ts'
import { mediaTitled } from '../factories.ts'
import { aPicture } from '../files.ts'
import { type Running, startServer } from '../process.ts'
import { listen } from '../stream.ts'
import { aForm, ask, settled, signIn, until } from './site.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const folder = mkdtempSync(join(tmpdir(), 'mokuroku-clock-'))
const file = join(folder, 'offset')
const how = { args: ['--import', join(import.meta.dirname, 'clockPreload.ts')] }
let site: Site
let server: Running
let token: string

beforeAll(async () => {
  writeFileSync(file, '0')
  site = await aSite()
  site.env.CLOCK_FILE = file
  server = site.server = await startServer(site.env, how)
  token = await signIn(server)
})
beforeEach(() => set(0))
afterAll(async () => {
  await site.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Sets the server's clock off by this much, in milliseconds. */
async function set(offset: number): Promise<void> {
  writeFileSync(file, String(offset))
  await sleep(20)
}
const create = async (title: string) => (await ask(server, token, 'POST', '/api/media', mediaTitled(title))).body
const update = async (id: string, title: string) =>
  (await ask(server, token, 'PUT', `/api/media/${id}`, mediaTitled(title))).body
const isSignedIn = async (as: string) => (await ask(server, as, 'GET', '/api/auth/verify')).status === 200

// In this order, since time passes from one to the next for the same server.
describe('a server whose clock changes', { shuffle: false }, () => {
  test('keeps ids, versions and timestamps in order when the clock goes back an hour', async () => {
    const before = await create('before')
    const changed = await update(before._id, 'changed')
    await set(-HOUR)
    const after = await create('after')
    const again = await update(before._id, 'changed again')
    expect(again.version).toBe(3)
    expect(String(again.updatedAt) >= String(changed.updatedAt)).toBe(true)
    expect(after._id > before._id).toBe(true)
    const rows = await site.read('SELECT "_id", "version", "createdAt", "updatedAt" FROM "media"')
    for (const { createdAt, updatedAt } of rows) expect(String(updatedAt) >= String(createdAt)).toBe(true)
    const revisions = await site.read(
      `SELECT "_id", "createdAt" FROM "revisions" WHERE "entityId" = '${before._id}' ORDER BY "version"`,
    )
    for (const name of ['_id', 'createdAt']) {
      const values = revisions.map((row) => String(row[name]))
      expect(values).toEqual(values.toSorted())
    }
    const chain = await ask(server, token, 'POST', '/api/audit/verify')
    expect([chain.status, chain.body.checked]).toEqual([200, expect.objectContaining({})])
    // A save based on the current version can still be told apart from one based on an older version.
    const stale = await ask(server, token, 'PUT', `/api/media/${before._id}`, mediaTitled('stale'), {
      'if-match': '"2"',
    })
    expect(stale.status).toBe(412)
    expect(await faultsOf(site)).toEqual([])
  })

  test('lists a notification sent after the clock went back as the newest', async () => {
    const bell = await listen(`${server.url}/api/notifications/stream`, token)
    const { _id } = await create('told')
    const setClock = (title: string) =>
      ask(server, token, 'PUT', '/api/translations/media/batch', [
        { id: _id, translations: { en: { title, description: '' } } },
      ])
    const next = async () => {
      for (;;) {
        const event = await bell.next()
        if (event === undefined) throw new Error('The stream ended')
        if (event.event === 'notification') return event
      }
    }
    await setClock('one')
    const first = (await next()).data as { _id: string }
    await set(-HOUR)
    await setClock('two')
    const second = (await next()).data as { _id: string }
    bell.close()
    const { body } = await ask(server, token, 'GET', '/api/notifications')
    const [newest, older] = (body.data as { _id: string }[]).map((each) => each._id)
    expect([newest, older]).toEqual([second._id, first._id])
  })

  test('expires sessions on time, and one begun while the clock was ahead as soon as it is corrected', async () => {
    await set(-HOUR)
    expect(await isSignedIn(token)).toBe(true)
    await set(DAY)
    expect(await isSignedIn(token)).toBe(false)
    await set(2 * DAY)
    const late = await signIn(server)
    expect(await isSignedIn(late)).toBe(true)
    await set(0)
    expect(await isSignedIn(late)).toBe(false)
    expect(await isSignedIn(token)).toBe(true)
    await set(2 * DAY + 13 * HOUR)
    expect(await isSignedIn(late)).toBe(false)
  })

  test('ends a rate limit on time, even if the clock goes back', async () => {
    const wrong = async () => {
      const body = { email: 'nobody@example.org', password: 'wrong password' }
      const answer = await fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.status, seconds: Number(answer.headers.get('retry-after')) }
    }
    for (let tries = 0; tries < 10; tries++) expect((await wrong()).status).toBe(401)
    expect((await wrong()).status).toBe(429)
    await set(-HOUR)
    const { status, seconds } = await wrong()
    expect(status).toBe(429)
    expect(seconds).toBeLessThanOrEqual((15 * MINUTE) / 1000)
    await set(16 * MINUTE)
    expect((await wrong()).status).toBe(401)
  })

  test('expires signed file URLs on time, and rejects one signed while the clock was ahead', async () => {
    const form = new FormData()
    form.append('isPublic', 'false')
    form.append('file', aForm(await aPicture(), 'a.png').get('file') ?? '')
    const { _id } = (await ask(server, token, 'POST', '/api/assets', form)).body
    await settled(site)
    const address = async () => String((await ask(server, token, 'GET', `/api/assets/${_id}`)).body.url)
    const open = async (url: string) => (await fetch(`${server.url}${url}`)).status
    const now = await address()
    expect(await open(now)).toBe(200)
    await set(6 * MINUTE)
    expect(await open(now)).toBe(403)
    const ahead = await address()
    expect(await open(ahead)).toBe(200)
    await set(0)
    expect(await open(ahead)).toBe(403)
    expect(await open(await address())).toBe(200)
  })

  test('starts normally when the clock says an hour before the last stop', async () => {
    const { _id } = await create('before the stop')
    expect((await server.end()).code).toBe(0)
    await set(-HOUR)
    server = site.server = await startServer(site.env, how)
    expect(await isSignedIn(token)).toBe(true)
    expect((await update(_id, 'after the start')).version).toBe(2)
    expect((await create('new')).version).toBe(1)
    expect((await ask(server, token, 'DELETE', `/api/media/${_id}`)).status).toBe(200)
    expect((await ask(server, token, 'POST', `/api/media/${_id}/restore`)).status).toBe(200)
    expect(await faultsOf(site)).toEqual([])
    const { code, errors } = await server.end()
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
  })

  test('does not empty the trash within a day if the clock jumps weeks ahead, even after several restarts', async () => {
    await set(0)
    server = site.server = await startServer(site.env, how)
    const { _id } = await create('thrown away')
    expect((await ask(server, token, 'DELETE', `/api/media/${_id}`)).status).toBe(200)
    const again = async (days: number) => {
      await server.end()
      await set(days * DAY)
      const started = Date.now() + days * DAY
      server = site.server = await startServer(site.env, how)
      // The purge runs soon after the start, if it is due, and again a day later.
      await until('the trash was looked at', async () => {
        const [job] = await site.read(`SELECT "dueAt" FROM "jobs" WHERE "_id" = 'trash.purge' AND "state" = 'queued'`)
        const next = Date.parse(String(job?.dueAt)) - started
        return next >= DAY && next < DAY + HOUR
      })
    }
    const isThere = async () => (await site.read(`SELECT "_id" FROM "media" WHERE "_id" = '${_id}'`)).length === 1
    for (const days of [40, 40]) {
      await again(days)
      expect(await isThere()).toBe(true)
    }
    await again(0)
    expect((await ask(server, token, 'POST', `/api/media/${_id}/restore`)).status).toBe(200)
    expect((await ask(server, token, 'DELETE', `/api/media/${_id}`)).status).toBe(200)
    await again(40)
    await again(41.1)
    expect(await isThere()).toBe(false)
  })
})

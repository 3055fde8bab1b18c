import { mediaApi } from '@mokuroku/contract/media'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSite, callOn, crashRound, type Site } from './crash.ts'
import { mediaTitled } from './factories.ts'
import { signIn } from './faults/site.ts'
import { postgres } from './postgres.ts'
import { refusedStart, startServer } from './process.ts'

let site: Site

beforeAll(async () => {
  site = await aSite(postgres)
})
afterAll(() => site.remove())

test('keeps every acknowledged write complete after SIGKILL and SIGTERM', async () => {
  for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
    const { faults } = await crashRound(site, signal)
    expect(faults).toEqual([])
  }
  expect(site.promises.length).toBeGreaterThan(0)
})

test('stores exactly those saves in progress at SIGTERM that it answers', async () => {
  const server = await runningServer()
  const call = callOn(server, await signIn(server))
  const titles = Array.from({ length: 30 }, (_, index) => `last ${index} of ${server.port}`)
  const saves = titles.map((title) => call(mediaApi.create, { body: mediaTitled(title) }).then(() => title))
  const answered: string[] = []
  for (const save of saves) save.then((title) => answered.push(title)).catch(() => undefined)
  await Promise.race(saves)
  const { code, errors } = await server.end('SIGTERM')
  site.server = undefined
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  await Promise.allSettled(saves)
  const stored = await site.read(`SELECT "translations" FROM "media" WHERE "translations" LIKE '%of ${server.port}"%'`)
  const kept = stored.map((row) => (JSON.parse(String(row.translations)) as { en: { title: string } }).en.title)
  expect(kept.toSorted()).toEqual(answered.toSorted())
})

test('refuses to start on a database of a newer version, and leaves it unchanged', async () => {
  const newer = await aSite(postgres)
  try {
    await newer.write(
      `INSERT INTO "migrations" ("name", "appliedAt") VALUES ('999-future.sql', '2030-01-01T00:00:00.000Z')`,
    )
    const { code, errors } = await refusedStart(newer.env)
    expect(code).toBe(1)
    expect(errors).toBe(
      'Mokuroku cannot start. The database was made by a newer version of Mokuroku (it has 999-future.sql). ' +
        'Please upgrade.\n',
    )
    expect(await newer.read('SELECT "_id" FROM "media"')).toHaveLength(1)
  } finally {
    await newer.remove()
  }
})

/** The server of the site: that of the previous test, if it is still running. */
async function runningServer() {
  site.server ??= await startServer(site.env)
  return site.server
}

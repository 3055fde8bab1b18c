// Cached responses (docs/decisions/029) equal newly computed ones.
import { CATALOGUE, kinds, pathOf } from '@mokuroku/contract/kinds'
import type { Route } from '@mokuroku/contract/route'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { hashPassword } from '#access/password.ts'
import { SYSTEM } from '#access/permissions.ts'
import { db, engine } from '#database/db.ts'
import { users } from '#store/users'
import { withReferences } from '#test/ai.ts'
import { app, idle, signedIn, withApp } from '#test/app.ts'
import { anilistPage, json, withCatalogues } from '#test/catalogues.ts'
import { nameOf, routes } from '#test/contract.ts'
import { CALLS, type Given, PASSWORD } from './calls.ts'
import { everybody, type People, type Person } from './people.ts'
import { ask } from './rawClient.ts'

withApp()
withReferences()
const catalogues = await withCatalogues()

const cached = [...routes.values()].filter((route) => route.cached)
const writes = [...routes].filter(
  ([, { method, access, stream }]) => method !== 'GET' && access !== 'public' && !stream,
)

let people: People
let reads: { route: Route; given: Given }[]
beforeAll(async () => {
  people = await everybody()
  await db
    .updateTable('users')
    .set({ passwordHash: await hashPassword(PASSWORD) })
    .execute()
  catalogues.answer({ anilist: json(anilistPage()), kitsu: json({ data: [] }) })
  reads = []
  for (const route of cached)
    reads.push({ route, given: (await CALLS[nameOf(route)]?.(people.owner, people.admin)) ?? {} })
  for (const indexName of CATALOGUE.map((kind) => kinds[kind].plural))
    reads.push({ route: routes.get('GET /api/search') as Route, given: { query: { q: 'one', indexName } } })
})

const NEW = { 'cache-control': 'no-cache' }

/** The response of each read, by name. */
async function read(person: Person, headers = {}): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {}
  for (const [at, { route, given }] of reads.entries())
    answers[`${at} ${nameOf(route)}`] = await ask(route, given, { ...person, headers })
  return answers
}

/** Until the end of the test: at the end of each minute, the cache is emptied and URLs of private files change. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  onTestFinished(() => void vi.useRealTimers())
}

const statements = async () => {
  const { body } = await app.inject({ url: '/metrics' })
  return Number(/database_query_duration_seconds_count\{kind="select"\} (\d+)/.exec(body)?.[1])
}

test('caches lists, searches and single entities', () => {
  const names = cached.map(nameOf)
  expect(cached.every(({ method, stream, file, access }) => method === 'GET' && !stream && !file && !access)).toBe(true)
  for (const path of [...CATALOGUE, 'Rating' as const].map(pathOf))
    expect(names).toEqual(expect.arrayContaining([`GET ${path}`, `GET ${path}/:id`]))
  expect(names).toContain('GET /api/search')
})

test.each(['admin', 'moderator', 'owner', 'bareOwner'] as const)(
  '%s: answers repeated reads from the cache, with little more than the session query',
  async (who) => {
    stopClock()
    const first = await read(people[who])
    await idle()
    expect(await read(people[who])).toEqual(first)
    const before = await statements()
    expect(await read(people[who])).toEqual(first)
    const again = (await statements()) - before
    // Background work runs queries now and then, and on PostgreSQL, other tests' writes invalidate the cache.
    if (engine === 'sqlite') expect(again).toBeLessThan(1.5 * reads.length)
    expect(await read(people[who], NEW)).toEqual(first)
    expect((await statements()) - before - again).toBeGreaterThan(3 * reads.length)
  },
)

test.each(writes)('serves no stale responses after %s', async (name, route) => {
  const given = (await CALLS[name]?.(people.owner, people.admin)) ?? {}
  await read(people.admin)
  await ask(route, given, { ...people.admin, token: given.token ?? people.admin.token })
  await idle()
  stopClock()
  const answers = await read(people.admin)
  expect(answers).toEqual(await read(people.admin, NEW))
})

test('refuses cached responses once the role changes or the session ends', async () => {
  const { user, token } = await signedIn({ role: 'admin' })
  const [route, given] = [
    routes.get('GET /api/revisions') as Route,
    { query: { entityType: 'User', entityId: user._id } },
  ]
  const status = async () => (await ask(route, given, { token })).status
  expect([await status(), await status()]).toEqual([200, 200])
  await db.updateTable('users').set({ role: 'user' }).where('_id', '=', user._id).execute()
  expect([await status(), await status()]).toEqual([403, 403])
  await db.updateTable('users').set({ role: 'admin' }).where('_id', '=', user._id).execute()
  expect([await status(), await status()]).toEqual([200, 200])
  await users.update(user._id, { isActive: false }, { actor: SYSTEM })
  expect([await status(), await status()]).toEqual([401, 401])
})

test('does not serve cached responses of one user to another', async () => {
  const route = routes.get('GET /api/revisions') as Route
  const given = { query: { entityType: 'User', entityId: people.owner.user._id } }
  const statuses = []
  for (const who of ['admin', 'owner', 'admin', 'owner'] as const)
    statuses.push((await ask(route, given, people[who])).status)
  expect(statuses).toEqual([200, 403, 200, 403])
})

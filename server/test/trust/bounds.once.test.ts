import { aiApi } from '@mokuroku/contract/ai'
import { authApi } from '@mokuroku/contract/auth'
import { mediaApi } from '@mokuroku/contract/media'
import type { Route } from '@mokuroku/contract/route'
import { tiersApi } from '@mokuroku/contract/tiers'
import { describe, expect, test } from 'vitest'
import { schemaOf } from '#http/jsonSchemas.ts'
import { app, signedIn, withApp } from '#test/app.ts'
import { mediaInput } from '#test/factories.ts'
import { endpoints } from '../../src/app.ts'
import { CALLS } from './calls.ts'
import { aPerson } from './people.ts'
import { ask } from './rawClient.ts'

withApp()

const routes = endpoints.map(({ route }) => [`${route.method} ${route.path}`, route] as const)

/** The processor time of this process so far, in milliseconds: it hardly depends on what else the machine does. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  maxLength?: number
  maxItems?: number
  maximum?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
}

/**
 * Exceptions: a text that is only compared, a number that every database engine can store, and those whose bound the
 * settings or a check of their own have.
 */
const KNOWN = [
  'POST /api/uploads size',
  'PUT /api/settings retention.keepActivitiesDays',
  'PUT /api/settings retention.keepAuditDays',
  'PUT /api/settings retention.keepVersionsDays',
  'POST /api/translation-history/rollback/:id current',
  'POST /api/score-permissions requiredScore',
  'PUT /api/score-permissions/:id requiredScore',
  'POST /api/score-permissions/preview tier.requiredScore',
]

/** The parts of a schema without a bound. */
function unbounded(schema: Schema, path = ''): string[] {
  const { type, anyOf = schema.oneOf, items, properties = {}, additionalProperties } = schema
  const inside = [
    ...(anyOf ?? []).flatMap((each) => unbounded(each, path)),
    ...(items ? unbounded(items, `${path}[]`) : []),
    ...Object.entries(properties).flatMap(([name, each]) => unbounded(each, path ? `${path}.${name}` : name)),
    ...(typeof additionalProperties === 'object' ? unbounded(additionalProperties, `${path}.*`) : []),
  ]
  const isOpen =
    (type === 'string' &&
      !schema.enum &&
      !('const' in schema) &&
      !schema.format &&
      schema.maxLength === undefined &&
      !schema.pattern?.endsWith('{6}$')) ||
    (type === 'array' && schema.maxItems === undefined) ||
    // The maximum of an integer without one is the largest that JavaScript can count, which PostgreSQL may not know.
    ((type === 'number' || type === 'integer') && (schema.maximum ?? Infinity) >= Number.MAX_SAFE_INTEGER)
  return isOpen ? [path, ...inside] : inside
}

describe('class 16: resource exhaustion', () => {
  test('every text, list and number in an input has an upper bound', () => {
    const open = routes.flatMap(([name, { query, body }]) =>
      [query, body]
        .flatMap((schema) => (schema ? unbounded(schemaOf(schema, 'input')) : []))
        .map((path) => `${name} ${path}`),
    )
    expect(open.toSorted()).toEqual(KNOWN.toSorted())
  })

  test('lists reject a limit over 200, and offsets beyond the maximum', async () => {
    const admin = await aPerson('admin')
    for (const [name, route] of routes.filter(([, each]) => each.method === 'GET' && each.query)) {
      const { path = {} } = (await CALLS[name]?.(admin, admin)) ?? {}
      const { properties = {} } = schemaOf(route.query as NonNullable<Route['query']>, 'input') as Schema
      const usual = Object.entries({ entityType: 'Media', entityId: 'x' }).filter(([key]) => key in properties)
      for (const key of ['limit', 'page', 'skip'].filter((each) => each in properties)) {
        const query = { ...Object.fromEntries(usual), [key]: key === 'limit' ? 201 : 10_000_001 }
        const answer = await ask(route, { path, query }, admin)
        expect({ name, key, ...answer }).toMatchObject({
          name,
          key,
          status: 400,
          body: { errors: expect.arrayContaining([expect.objectContaining({ path: key })]) },
        })
      }
    }
  })

  test('rejects bodies that are too large, and quickly checks those with very many ids', async () => {
    const { token } = await signedIn()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const post = (payload: string) => app.inject({ method: 'POST', url: '/api/media', headers, payload })
    expect((await post(JSON.stringify({ a: 'x'.repeat(2 * 1024 * 1024) }))).statusCode).toBe(413)
    const began = cpuMs()
    const most = Array.from({ length: 1000 }, (_, at) => `id${at}`)
    const many = { characters: most, tags: most, assets: most, relatedMedia: most }
    expect((await post(JSON.stringify(mediaInput(many)))).statusCode).toBe(400)
    const tooMany = await post(JSON.stringify(mediaInput({ tags: [...most, 'one too many'] })))
    expect([tooMany.statusCode, tooMany.json()]).toMatchObject([400, { errors: [{ path: 'tags', code: 'tooMany' }] }])
    expect(cpuMs() - began).toBeLessThan(5000)
  })

  test('handles hostile texts quickly (no ReDoS)', async () => {
    const { token } = await signedIn()
    const long = [
      'a'.repeat(50_000),
      '<'.repeat(50_000),
      '&'.repeat(50_000),
      '<a '.repeat(16_000),
      '\n'.repeat(50_000),
      '`'.repeat(50_000),
    ]
    for (const text of long) {
      const began = cpuMs()
      const texts = { en: { title: text.slice(0, 1000), description: text } }
      await ask(mediaApi.create, { body: mediaInput({ translations: texts }) }, { token })
      await ask(authApi.forgotPassword, { body: { email: `${text.slice(0, 250)}@x` } }, { token })
      await ask(mediaApi.list, { query: { search: text.slice(0, 200) } }, { token })
      await ask(aiApi.saveBatch, { body: [{ id: 'x', translations: { [text.slice(0, 200)]: texts.en } }] }, { token })
      expect(cpuMs() - began).toBeLessThan(3000)
    }
  })
})

describe('class 23: concurrency', () => {
  test('concurrent changes can neither delete, deactivate nor raise the default tier', async () => {
    const admins = [await signedIn(), await signedIn(), await signedIn()]
    const [tier] = (await (admins[0] ?? (await signedIn())).call(tiersApi.list)).data
    const { _id: id = '', name = '', permissions } = tier ?? {}
    if (!permissions) throw new Error('There is no tier')
    const attempts = admins.flatMap(({ call }) => [
      call(tiersApi.remove, { id }),
      call(tiersApi.update, { id, body: { name, requiredScore: 5, isActive: true, permissions } }),
      call(tiersApi.update, { id, body: { name, requiredScore: 0, isActive: false, permissions } }),
    ])
    for (const { status } of await Promise.allSettled(attempts)) expect(status).toBe('rejected')
    expect((await (admins[0] ?? (await signedIn())).call(tiersApi.list)).data).toMatchObject([
      { _id: id, requiredScore: 0, isActive: true },
    ])
  })

  test('never mixes up the responses of concurrent users', async () => {
    const people = await Promise.all(
      Array.from({ length: 12 }, (_, at) => signedIn({ role: at % 2 ? 'user' : 'moderator' })),
    )
    const asked = Array.from({ length: 10 }, () => people).flat()
    const answers = await Promise.all(
      asked.map(async (person) => [person.user.email, (await person.call(authApi.verify)).user.email]),
    )
    for (const [own, errors] of answers) expect(errors).toBe(own)
  })
})

import { Writable } from 'node:stream'
import { aiApi } from '@mokuroku/contract/ai'
import { assetsApi, uploadsApi } from '@mokuroku/contract/assets'
import { authApi } from '@mokuroku/contract/auth'
import { mediaApi } from '@mokuroku/contract/media'
import { notificationsApi } from '@mokuroku/contract/notifications'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { now } from '#lib/clock.ts'
import { openLog } from '#lib/log.ts'
import { db } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { settings } from '#store/settings'
import { ADMIN, app, callAs, signedIn, startEmpty, withApp } from '#test/app.ts'
import { aMedia, mediaInput } from '#test/factories.ts'
import { createApp, endpoints } from '../../src/app.ts'
import { ensureFirstAdmin } from '../../src/users/bootstrap.ts'
import { CALLS } from './calls.ts'
import { everybody } from './people.ts'
import { ask } from './rawClient.ts'
import { BESIDE } from './rules.ts'
import { temporaryFolder } from '../folder.ts'

withApp()

const routes = endpoints.map(({ route }) => [`${route.method} ${route.path}`, route] as const)

const KEY = 'sk-only-the-provider-may-see-this'

describe('class 18: secrets in responses and logs', () => {
  test('no response contains the AI key, a password hash or the server secret', async () => {
    await settings.change({ ai: { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', apiKey: KEY } }, { actor: SYSTEM })
    const { apiKey: sealed } = await db.selectFrom('settings').select('apiKey').executeTakeFirstOrThrow()
    const { admin, moderator, user } = await everybody()
    await ask(aiApi.test, { body: { baseUrl: 'http://127.0.0.1:9/v1', model: 'm' } }, admin)
    const reads = routes.filter(
      ([, { method, path, stream, file }]) => method === 'GET' && !path.includes(':') && !stream && !file,
    )
    for (const [name, route] of reads) {
      const given = (await CALLS[name]?.(admin, admin)) ?? {}
      for (const person of [admin, moderator, user]) {
        const { status, body } = await ask(route, given, person)
        if (person === admin) expect(status, `of ${name}`).toBe(200)
        const text = JSON.stringify(body)
        for (const secret of [KEY, sealed, '$argon2', 'only the tests know'])
          expect(text.includes(secret), `of ${name}`).toBe(false)
      }
    }
    const { body } = await ask(
      aiApi.test,
      { body: { baseUrl: 'http://127.0.0.1:9/v1', model: 'm', apiKey: KEY } },
      admin,
    )
    expect(JSON.stringify(body)).not.toContain(KEY)
    await settings.change({ ai: { baseUrl: '', model: '', apiKey: '' } }, { actor: SYSTEM })
  })

  test('the log contains no passwords or tokens, even at level trace', async () => {
    const lines: string[] = []
    const output = new Writable({
      write: (line: Buffer, _, done) => {
        lines.push(line.toString())
        done()
      },
    })
    const logger = openLog('trace', output)
    const talkative = await createApp({
      files: temporaryFolder(),
      publicUrl: 'http://x',
      logger,
    })
    const send = (url: string, payload: object | string, headers = {}) =>
      talkative.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } })
    const { token } = (await send(authApi.login.path, ADMIN)).json<{ token: string }>()
    await send(authApi.login.path, { ...ADMIN, password: 'a wrong secret' })
    await send(authApi.login.path, '{"password":"a wrong secret"')
    await send(authApi.resetPassword.path, { token: 'a-secret-link', password: 'a wrong secret' })
    const headers = { authorization: `Bearer ${token}` }
    await talkative.inject({ url: `/api/media?token=${token}`, headers })
    await talkative.inject({
      method: 'PUT',
      url: authApi.changePassword.path,
      headers,
      payload: { current: 'a wrong secret', password: 'a wrong secret' },
    })
    const upload = { ...headers, 'content-type': 'multipart/form-data; boundary=x' }
    await send(assetsApi.upload.path, '--x--\r\n', upload)
    // Cause a real failure, so that there is something to reveal.
    const rename = async (from: string, to: string) => {
      await sql`ALTER TABLE ${sql.table(from)} RENAME TO ${sql.table(to)}`.execute(db)
    }
    await rename('media', 'elsewhere')
    const failed = await talkative.inject({ method: 'POST', url: '/api/media', headers, payload: mediaInput() })
    await rename('elsewhere', 'media')
    await talkative.close()
    expect(failed.statusCode).toBe(500)
    expect(failed.json()).toEqual({
      code: 'internal',
      message: 'Server error. Please try again later.',
      requestId: failed.headers['x-request-id'],
    })
    for (const line of ['call failed', 'busboy']) expect(lines.join('')).toContain(line)
    for (const secret of [token, ADMIN.password, 'a wrong secret', 'a-secret-link', '$argon2'])
      expect(lines.join('').includes(secret), `of ${secret}`).toBe(false)
  })
})

describe('class 20: cross-origin calls', () => {
  let served: FastifyInstance | undefined
  afterAll(() => served?.close())

  test('no route allows CORS calls from an unknown origin, including streams and uploads', async () => {
    const origin = 'https://evil.example.org'
    const files = temporaryFolder()
    served = await createApp({ files, publicUrl: 'http://x', consoleOrigin: 'https://console.example.org' })
    const some = [
      mediaApi.create,
      assetsApi.upload,
      uploadsApi.append,
      notificationsApi.stream,
      aiApi.process,
      aiApi.searchOutside,
    ]
    const { token } = await signedIn()
    for (const server of [app, served])
      for (const { path, method } of some) {
        const url = path.replace(':id', 'x')
        const headers = {
          origin,
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization',
        }
        const asked = await server.inject({ method: 'OPTIONS', url, headers })
        const allowed = asked.headers['access-control-allow-origin']
        expect([undefined, 'https://console.example.org']).toContain(allowed)
        if (path === notificationsApi.stream.path) continue
        const sent = await server.inject({ method, url, headers: { origin, authorization: `Bearer ${token}` } })
        for (const { headers: given } of [asked, sent]) {
          expect(given['access-control-allow-origin']).not.toBe(origin)
          expect(given['access-control-allow-origin']).not.toBe('*')
          expect(given['access-control-allow-credentials']).toBeUndefined()
        }
      }
  })

  test('refuses forms of other pages (CSRF), and sets no cookie', async () => {
    const { token } = await signedIn()
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
      for (const authorization of ['', `Bearer ${token}`]) {
        const headers = { 'content-type': type, ...(authorization && { authorization }), cookie: `token=${token}` }
        const answer = await app.inject({
          method: 'POST',
          url: '/api/media',
          headers,
          payload: JSON.stringify(mediaInput()),
        })
        expect(answer.statusCode).toBeGreaterThanOrEqual(400)
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
  })
})

describe('class 21: what is exposed before sign-in', () => {
  test('only known routes are public, and they reveal nothing of the catalogue', async () => {
    const open = routes.filter(([, { access }]) => access === 'public').map(([name]) => name)
    expect(open.toSorted()).toEqual([
      'GET /api/site',
      'POST /api/auth/forgot-password',
      'POST /api/auth/login',
      'POST /api/auth/reset-password',
    ])
    await aMedia({ translations: { en: { title: 'Unheard of by visitors', description: '' } } })
    await app.inject({ url: '/api/media/unheard-of-id' })
    for (const url of [...BESIDE, '/api/site']) {
      const { body } = await app.inject({ url })
      expect(body).not.toMatch(/Unheard of by visitors|unheard-of-id|@example\.org|argon2/)
    }
    for (const [, route] of routes.filter(([, { method, access }]) => method === 'GET' && access !== 'public'))
      for (const method of ['HEAD', 'GET'] as const)
        expect((await app.inject({ method, url: route.path.replaceAll(/:\w+/g, 'x') })).statusCode).toBe(401)
  })

  test('creates the first administrator once, even if several servers start, and never again', async () => {
    onTestFinished(startEmpty)
    for (const table of ['sessions', 'resets', 'usernames', 'users', 'tiers'] as const)
      await db.deleteFrom(table).execute()
    await Promise.all(['one', 'two', 'three'].map((name) => ensureFirstAdmin(`${name}@example.org`, 'a good password')))
    const accounts = await db.selectFrom('users').select(['email', 'role']).execute()
    expect(accounts).toEqual([{ email: expect.stringMatching(/^(one|two|three)@/), role: 'admin' }])
    expect(await db.selectFrom('tiers').select('_id').execute()).toHaveLength(1)
    await ensureFirstAdmin('late@example.org', 'a good password')
    await expect(
      callAs()(authApi.login, { body: { email: 'late@example.org', password: 'a good password' } }),
    ).rejects.toMatchObject({ status: 401 })
    await db.updateTable('users').set({ deletedAt: now() }).execute()
    await ensureFirstAdmin('later@example.org', 'a good password')
    expect(await db.selectFrom('users').select('_id').execute()).toHaveLength(1)
    await db.updateTable('users').set({ deletedAt: null }).execute()
  })
})

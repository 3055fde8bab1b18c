import { mediaApi } from '@mokuroku/contract/media'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageUnder, withoutBasePath } from '#http/basePath.ts'
import { createApp } from '../src/app.ts'
import { signedIn, withApp } from '#test/app.ts'
import { aMedia } from '#test/factories.ts'

withApp()

describe('a server whose PUBLIC_URL has a path', () => {
  let app: FastifyInstance
  let token: string
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mokuroku-base-'))
    const page =
      '<meta name="api-host" content="" /><meta name="base-path" content=""/><script src="/assets/a.js"></script><a href="//x">'
    writeFileSync(join(folder, 'index.html'), page)
    writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
    mkdirSync(join(folder, 'assets'))
    app = await createApp({ files: join(folder, 'files'), publicUrl: 'https://example.org/my/cat/', console: folder })
    ;({ token } = await signedIn())
  })
  afterAll(() => app.close())

  const get = (url: string) => app.inject({ url, headers: { authorization: `Bearer ${token}`, host: 'example.org' } })

  test('answers with and without the base path, since proxies may keep or strip it', async () => {
    const { _id } = await aMedia()
    for (const base of ['', '/my/cat'])
      for (const path of [`/api/media/${_id}`, '/api/media?limit=1', '/healthz', '/favicon.svg'])
        expect({ base, path, status: (await get(base + path)).statusCode }).toEqual({ base, path, status: 200 })
    for (const path of ['/my/cats/healthz', '/my/cat/api/nothing', '/other/api/media'])
      expect((await get(path)).headers['content-type']).not.toContain('svg')
    for (const path of ['/my/cat/api/nothing', '/my/cat/favicon.ico', '/my/cat/assets/nothing.js'])
      expect({ path, status: (await get(path)).statusCode }).toEqual({ path, status: 404 })
  })

  test('serves the console page with the base path filled in, for every screen', async () => {
    for (const path of ['', '/', '/?a=1', '/index.html', '/media/1/edit', '/assets', '/assets/']) {
      const { body, headers, statusCode } = await get(`/my/cat${path}`)
      expect({ path, statusCode, body }).toEqual({
        path,
        statusCode: 200,
        body: '<meta name="api-host" content="/my/cat" /><meta name="base-path" content="/my/cat"/><script src="/my/cat/assets/a.js"></script><a href="//x">',
      })
      expect(headers['cache-control']).toBe('no-cache')
    }
  })

  test('redirects to the survivor of a merge under the base path', async () => {
    const { call } = await signedIn()
    const [{ _id: into, version: base }, { _id: from, version }] = [await aMedia(), await aMedia()]
    await call(mediaApi.merge, { id: into, body: { from: { _id: from, version }, pick: {} }, base })
    const { statusCode, headers } = await get(`/my/cat/api/media/${from}`)
    expect([statusCode, headers.location]).toEqual([308, `/my/cat/api/media/${into}`])
  })

  test('names its URL with the base path in the OpenAPI document', async () => {
    expect((await get('/api/openapi.json')).json()).toMatchObject({ servers: [{ url: 'https://example.org/my/cat/' }] })
  })
})

test('strips only a whole base path, and escapes it in the page', () => {
  expect(['/a', '/a/', '/a/b', '/a?b', '/ab', '/b'].map((path) => withoutBasePath(path, '/a'))).toEqual([
    '/',
    '/',
    '/b',
    '/?b',
    '/ab',
    '/b',
  ])
  expect(withoutBasePath('/a', '')).toBe('/a')
  expect(pageUnder('<meta name="base-path" content="" />', '/a&"$1')).toBe(
    '<meta name="base-path" content="/a&amp;&quot;$1" />',
  )
})

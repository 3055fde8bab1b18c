import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { uploadsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { mediaApi } from '@mokuroku/contract/media'
import { tagsApi } from '@mokuroku/contract/tags'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { createApp, endpoints } from './app.ts'
import { app, callAs, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, mediaInput } from '#test/factories.ts'
import { temporaryFolder } from '#test/folder.ts'

withApp()

test('the OpenAPI 3.1 description is valid and includes every call', async () => {
  const answer = await app.inject({ url: '/api/openapi.json' })
  const description = answer.json<{
    openapi: string
    paths: Record<string, Record<string, { operationId: string }>>
    tags: { name: string; description: string }[]
  }>()
  expect(description.openapi).toBe('3.1.0')
  const { valid, errors } = await new Validator().validate(description)
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  for (const { route } of endpoints)
    expect(description.paths[route.path.replace(/:(\w+)/g, '{$1}')]).toHaveProperty(route.method.toLowerCase())
  const names = Object.values(description.paths).flatMap((calls) =>
    Object.values(calls).map(({ operationId }) => operationId),
  )
  expect(names).toEqual(
    expect.arrayContaining(['mediaList', 'authLogin', 'scorePermissionsCreate', 'search', 'searchOutside']),
  )
  expect(names.filter((name) => !/^[a-z][A-Za-z0-9]+$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(endpoints.length)
  const about = new Map(description.tags.map((tag) => [tag.name, tag.description]))
  expect(about.get('media')).toBe('Listing, reading and changing media.')
  expect([...about.values()].filter((text) => !/^[A-Z].*\.$/.test(text))).toEqual([])
})

test('the OpenAPI description has the headers, form fields, previews and errors of calls', async () => {
  const { paths, components } = (await app.inject({ url: '/api/openapi.json' })).json<{
    paths: Record<string, Record<string, { parameters?: { name: string }[]; [part: string]: unknown }>>
    components: {
      schemas: {
        Error: { properties: { errors: { items: unknown } } }
        Conflict: { properties: object }
      }
    }
  }>()
  const parameter = (path: string, method: string, name: string) =>
    paths[path]?.[method]?.parameters?.find((each) => each.name === name)
  expect(parameter('/api/media/{id}', 'put', 'If-Match')).toMatchObject({ in: 'header' })
  expect(parameter('/api/media/{id}/restore', 'post', 'If-Match')).toBeUndefined()
  expect(parameter('/api/uploads/{id}', 'patch', 'Upload-Offset')).toMatchObject({ in: 'header', required: true })
  expect(parameter('/api/ai/process', 'get', 'text')).toMatchObject({ content: { 'application/json': {} } })
  expect(paths['/api/media']?.get).toMatchObject({ responses: { 200: { headers: { 'X-Total-Count': {} } } } })
  expect(paths['/api/tags/{id}']?.get).toMatchObject({ responses: { 200: { headers: { ETag: {} } }, 304: {} } })
  const limit = { type: 'integer', minimum: 1, maximum: 100, default: 10 }
  expect(parameter('/api/media', 'get', 'limit')).toEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: limit,
  })
  expect(parameter('/api/media', 'get', 'ratingMin')).toMatchObject({
    schema: { type: 'number', minimum: 0, maximum: 10 },
  })
  expect(parameter('/api/tags/{id}', 'get', 'If-None-Match')).toMatchObject({ in: 'header' })
  expect(paths['/api/tags']?.get).not.toMatchObject({ responses: { 304: {} } })
  const refersTo = (name: string) => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  })
  for (const path of ['/api/media/bulk', '/api/batches/{id}/rollback'])
    expect(paths[path]?.post).toMatchObject({
      responses: { 200: refersTo('BulkPreview'), 202: refersTo('BatchStarted'), 409: {}, 429: {} },
    })
  expect(paths['/api/findings/dismiss']?.delete).toMatchObject({ requestBody: { required: false } })
  expect(paths['/api/imports']?.post).toMatchObject({
    requestBody: { content: { 'multipart/form-data': { schema: { required: ['entityType', 'file'] } } } },
  })
  const bytes = { schema: { contentMediaType: 'application/octet-stream' } }
  expect(paths['/api/uploads/{id}']?.patch).toMatchObject({
    requestBody: { content: { 'application/offset+octet-stream': bytes } },
  })
  expect(paths['/api/assets']?.post).toMatchObject({
    requestBody: { content: { 'multipart/form-data': { schema: { properties: { file: bytes.schema } } } } },
  })
  const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  expect(paths['/api/media/export']?.get).toMatchObject({
    responses: { 200: { content: { [sheet]: bytes, 'text/csv': { schema: { type: 'string' } } } }, 429: {} },
  })
  for (const path of ['/api/media', '/api/media/{id}', '/api/auth/verify'])
    for (const status of [403, 409, 429]) expect(paths[path]?.get).not.toHaveProperty(['responses', status])
  for (const path of ['/api/settings', '/api/revisions/{id}', '/api/ai/process'])
    expect(paths[path]?.get).toHaveProperty(['responses', 403])
  expect(components.schemas.Conflict.properties).toMatchObject({ offset: { type: 'integer' }, into: {}, current: {} })
  expect(parameter('/api/media/{id}', 'put', 'AI-Runs')).toMatchObject({ in: 'header' })
  expect(parameter('/api/media/{id}', 'put', 'Drop-Links')).toMatchObject({ in: 'header' })
  expect(parameter('/api/media', 'post', 'AI-Runs')).toMatchObject({ in: 'header' })
  expect(parameter('/api/translations/media/batch', 'put', 'AI-Runs')).toMatchObject({ in: 'header' })
  expect(parameter('/api/ratings/{id}', 'put', 'AI-Runs')).toBeUndefined()
  expect(parameter('/api/notifications/stream', 'get', 'Last-Event-ID')).toMatchObject({ in: 'header' })
  expect(paths['/api/media/{id}']?.put).toMatchObject({
    summary: 'Change a media item',
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/MediaInput' } } } },
    responses: { 403: {}, 404: {}, 412: { $ref: '#/components/responses/Stale' }, default: {} },
  })
  expect(components.schemas.Error.properties.errors.items).toMatchObject({
    properties: { code: {}, params: {} },
    additionalProperties: {},
  })
})

test('reads of an entity that was merged are redirected, as the OpenAPI description says', async () => {
  const { call, token } = await signedIn()
  const [first, second] = [await aMedia(), await aMedia()]
  const [one, other] = [await aCharacter(), await aCharacter()]
  const [tag, another] = [await aTag(), await aTag()]
  const into = [
    { id: first._id, from: second._id, merge: mediaApi.merge },
    { id: one, from: other, merge: charactersApi.merge },
    { id: tag, from: another, merge: tagsApi.merge },
  ]
  for (const { id, from, merge } of into) await call(merge, { id, body: { from: { _id: from, version: 1 } } })
  const redirected: string[] = []
  for (const { route } of endpoints.filter((each) => each.route.method === 'GET' && /:id/.test(each.route.path)))
    for (const { from } of into) {
      if (route.stream) continue
      const url = route.path.replace(':id', from)
      const { statusCode } = await app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      if (statusCode === 308) redirected.push(route.path.replace(':id', '{id}'))
    }
  const { paths } = (await app.inject({ url: '/api/openapi.json' })).json<{
    paths: Record<string, { get?: { responses: Record<string, unknown> } }>
  }>()
  const described = Object.entries(paths).flatMap(([path, { get }]) => (get?.responses[308] ? [path] : []))
  expect(redirected.toSorted()).toEqual(described.toSorted())
})

test('class 16: the OpenAPI description is generated only once', async () => {
  const first = await app.inject({ url: '/api/openapi.json' })
  const [endpoint] = endpoints
  if (!endpoint) throw new Error('There are endpoints')
  endpoints.push({ ...endpoint, route: { ...endpoint.route, path: '/api/added-later' } })
  try {
    expect((await app.inject({ url: '/api/openapi.json' })).body).toBe(first.body)
  } finally {
    endpoints.pop()
  }
})

test('class 21: every call that is not public requires authentication', async () => {
  for (const { route } of endpoints.filter((each) => each.route.access !== 'public'))
    await expect(callAs()(route, { id: 'x', body: {} } as never)).rejects.toMatchObject({
      status: 401,
      code: 'unauthorized',
    })
})

test('health, readiness and metrics answer without a sign-in', async () => {
  for (const url of ['/healthz', '/readyz', '/metrics']) expect((await app.inject({ url })).statusCode).toBe(200)
  const { body } = await app.inject({ url: '/metrics' })
  for (const name of ['event_loop_delay_max_seconds', 'event_loop_delay_p99_seconds'])
    expect(body).toMatch(new RegExp(String.raw`^${name} [\d.e-]+$`, 'm'))
})

test('rejects a body that is not valid JSON, too large or of another media type', async () => {
  const { token } = await signedIn()
  const send = (payload: string | Buffer, type = 'application/json') =>
    app.inject({
      method: 'POST',
      url: '/api/media',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      payload,
    })
  expect((await send('{')).json()).toMatchObject({ message: 'Invalid JSON format' })
  const title = JSON.stringify(mediaInput({ originalTitle: 'Café' }))
  expect((await send(title, 'application/json; charset=utf-8')).json()).toMatchObject({ originalTitle: 'Café' })
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const answer = await send(Buffer.from(title, encoding), `application/json; charset=${encoding}`)
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { message: 'Invalid JSON format' }])
  }
  expect((await send('x'.repeat(3 * 1024 * 1024))).statusCode).toBe(413)
  expect((await send('a=b', 'application/x-www-form-urlencoded')).statusCode).toBe(415)
  expect((await send('null')).statusCode).toBe(400)
  expect((await send('{"__proto__":{"isAdmin":true},"constructor":{}}')).statusCode).toBe(400)
})

test('a compressed body is refused, not read as it is', async () => {
  const { token, call } = await signedIn()
  const { _id } = await call(uploadsApi.begin, { body: { filename: 'a.png', size: 100 } })
  const answer = await app.inject({
    method: 'PATCH',
    url: `/api/uploads/${_id}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/offset+octet-stream',
      'content-encoding': 'gzip',
      'upload-offset': '0',
    },
    payload: gzipSync('the first part'),
  })
  expect(answer).toMatchObject({ statusCode: 415, headers: { 'accept-encoding': 'identity' } })
  expect(answer.json()).toMatchObject({ code: 'mediaType' })
  expect(await call(uploadsApi.find, { id: _id })).toMatchObject({ offset: 0 })
})

test('an unknown path is answered with 404 in the common error format', async () => {
  const answer = await app.inject({ url: '/api/nothing' })
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toEqual({
    message: 'Resource not found.',
    code: 'notFound',
    requestId: answer.headers['x-request-id'],
  })
})

test.each([
  ['PATCH', '/api/media', 'GET, HEAD, POST'],
  ['POST', '/api/media/an-id?limit=1', 'GET, HEAD, PUT, DELETE'],
  ['POST', '/api/languages', 'GET, HEAD'],
  ['GET', '/api/auth/login', 'POST'],
  ['POST', '/healthz', 'GET, HEAD'],
  ['DELETE', '/readyz', 'GET, HEAD'],
  ['PUT', '/metrics', 'GET, HEAD'],
  ['POST', '/api/openapi.json', 'GET, HEAD'],
  ['DELETE', '/files/a.png', 'GET, HEAD'],
] as const)('%s %s is answered with 405 and the methods of the path', async (method, url, allow) => {
  const answer = await app.inject({ method, url, ...(method !== 'GET' && { payload: {} }) })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow])
  expect(answer.json()).toMatchObject({ message: 'This address does not support this method.', code: 'method' })
})

test('an address that no route of the API answers is refused in the same way while the console is served', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  const served = await createApp({ files: join(folder, 'files'), publicUrl: 'http://127.0.0.1:3000', console: folder })
  const refused = async (server: typeof app, method: 'GET' | 'HEAD' | 'DELETE', url: string) => {
    const { statusCode, headers, body } = await server.inject({ method, url })
    const { message } = JSON.parse(body || '{}') as { message?: string }
    return [statusCode, headers.allow, message]
  }
  const readable = new Set(endpoints.filter(({ route }) => route.method === 'GET').map(({ route }) => route.path))
  const others = endpoints.map(({ route }) => route.path).filter((path) => !readable.has(path))
  const long = `/api/media/${'x'.repeat(201)}`
  for (const url of [
    '/api/nothing',
    '/api//media',
    '/api/media/%',
    long,
    ...others.map((path) => path.replaceAll(':', '')),
  ])
    for (const method of ['GET', 'HEAD', 'DELETE'] as const)
      expect(await refused(served, method, url), `${method} ${url}`).toEqual(await refused(app, method, url))
  expect(await refused(served, 'GET', '/api/media/%')).toEqual([400, undefined, 'The address is malformed.'])
  expect(await refused(served, 'GET', long)).toEqual([404, undefined, 'Resource not found.'])
  expect((await refused(served, 'GET', '/api/users/id/invite')).slice(0, 2)).toEqual([405, 'POST'])
  await served.close()
})

test('a path with a NUL is answered like any that leads nowhere', async () => {
  const { token } = await signedIn()
  const answer = await app.inject({ url: '/api/media/%00', headers: { authorization: `Bearer ${token}` } })
  expect(answer.json()).toMatchObject({ message: 'Resource not found.', code: 'notFound' })
})

test('serves the page of the console at the path of every screen, to GET and HEAD, and has it checked on each visit', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'index.html'), '<!doctype html>')
  const served = await createApp({ files: join(folder, 'files'), publicUrl: 'http://127.0.0.1:3000', console: folder })
  for (const method of ['GET', 'HEAD'] as const)
    for (const url of ['/', '/media', '/media/', '/assets', '/assets/', '/media/1/edit'])
      expect(await served.inject({ method, url })).toMatchObject({
        statusCode: 200,
        headers: { 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8', 'content-length': '15' },
      })
  // Whoever follows such a link sees the console's "Page not found"; a program learns that there is no such file.
  for (const url of ['/favicon.ico', '/media/nothing.txt?a=1'])
    expect(await served.inject({ url })).toMatchObject({ statusCode: 404, body: '<!doctype html>' })
  expect(await served.inject({ url: '/media?search=a.b' })).toMatchObject({ statusCode: 200 })
  expect((await served.inject({ method: 'HEAD', url: '/api/nothing' })).statusCode).toBe(404)
  expect((await served.inject({ method: 'POST', url: '/media' })).statusCode).toBe(404)
  for (const url of ['/%E0%A4%A', '//example.org/%'])
    expect(await served.inject({ url })).toMatchObject({ statusCode: 302, headers: { location: '/not-found' } })
  for (const url of ['//', '/%2e%2e%2fpackage.json', '/api/%', '/files/%'])
    expect(await served.inject({ url })).toMatchObject({ statusCode: 400 })
  await served.close()
})

test('If-None-Match is answered with 304 for files, also with Cache-Control: no-cache', async () => {
  const folder = temporaryFolder()
  for (const name of ['index.html', 'icon.svg']) writeFileSync(join(folder, name), '<svg></svg>')
  const served = await createApp({ files: join(folder, 'files'), publicUrl: 'http://127.0.0.1:3000', console: folder })
  for (const url of ['/', '/media', '/icon.svg']) {
    const { etag = '' } = (await served.inject({ url })).headers
    const read = (named: string) =>
      served.inject({ url, headers: { 'if-none-match': named, 'cache-control': 'no-cache' } })
    expect(await read(etag)).toMatchObject({ statusCode: 304, body: '' })
    expect(await read('"another"')).toMatchObject({ statusCode: 200, body: '<svg></svg>' })
  }
  await served.close()
})

test('class 20: allows cross-origin calls only from the configured console', async () => {
  const options = { publicUrl: 'http://127.0.0.1:3000', consoleOrigin: 'https://console.example.org' }
  const apart = await createApp({ files: temporaryFolder(), ...options })
  const from = (origin: string, server = apart) => server.inject({ url: '/healthz', headers: { origin } })
  const { headers } = await from('https://console.example.org')
  expect(headers['access-control-allow-origin']).toBe('https://console.example.org')
  // The console names a downloaded file after the former, and counts the entries of a list by the latter.
  for (const name of ['content-disposition', 'x-total-count'])
    expect(headers['access-control-expose-headers']).toContain(name)
  expect((await from('https://evil.example.org')).headers['access-control-allow-origin']).toBeUndefined()
  expect((await from('https://console.example.org', app)).headers['access-control-allow-origin']).toBeUndefined()
  await apart.close()
})

test('class 13: every response has the security headers', async () => {
  const { headers } = await app.inject({ url: '/api/nothing' })
  expect(headers['content-security-policy']).toContain("script-src 'self'")
  expect(headers['content-security-policy']).not.toContain("script-src 'self' 'unsafe-inline'")
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' })
})

import { urlOf } from '@mokuroku/contract/call'
import { charactersApi } from '@mokuroku/contract/characters'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { newTag, tagsApi } from '@mokuroku/contract/tags'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { withReferences } from '#test/ai.ts'
import { app, idle, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aRating, aTag, mediaInput } from '#test/factories.ts'
import { fieldsOf, routes } from '#test/contract.ts'
import { aPicture, send } from '#test/files.ts'
import { CALLS } from './trust/calls.ts'
import { everybody, type People } from './trust/people.ts'
import { RULES } from './trust/rules.ts'

withApp()
withReferences()

const TAG = expect.stringMatching(/^"[\w.-]+"$/) as string

/** A reader that remembers the ETag of each response. */
async function aReader() {
  const { token, user, call } = await signedIn()
  const read = async (url: string, ifNoneMatch?: string) => {
    const headers = { authorization: `Bearer ${token}`, ...(ifNoneMatch && { 'if-none-match': ifNoneMatch }) }
    const { statusCode: status, headers: answered, body } = await app.inject({ url, headers })
    return { status, etag: String(answered.etag), body }
  }
  /** Reads twice, expecting that nothing has changed, and again after `change`, expecting a new response. */
  const changedBy = async (url: string, change: () => Promise<unknown>) => {
    const { etag } = await read(url)
    expect(await read(url, etag)).toEqual({ status: 304, etag, body: '' })
    await change()
    const after = await read(url, etag)
    expect(after.status).toBe(200)
    expect(after.etag).not.toBe(etag)
    expect(await read(url, after.etag)).toEqual({ status: 304, etag: after.etag, body: '' })
  }
  return { token, user, call, read, changedBy }
}

let people: People
beforeAll(async () => {
  people = await everybody()
})

const READS = [...routes].filter(([, { method, stream, file }]) => method === 'GET' && !stream && !file)

test.each(READS)('%s is answered with 304 if it has the ETag that it was sent with', async (name, route) => {
  const reader = RULES[name]?.may.includes('admin') ? people.admin : people.owner
  const { path = {}, query, token = reader.token } = (await CALLS[name]?.(people.owner, reader)) ?? {}
  const url = urlOf(route, { ...path, query })
  const read = async (method: 'GET' | 'HEAD', ifNoneMatch?: string, by = token) => {
    const headers = {
      authorization: `Bearer ${by}`,
      ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    }
    const { statusCode: status, headers: sent, body } = await app.inject({ method, url, headers })
    return { status, etag: sent.etag, cache: sent['cache-control'], body }
  }
  await idle()
  // With each minute, the URLs of private files change.
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { body, ...first } = await read('GET')
  expect({ name, ...first }).toEqual({
    name,
    status: 200,
    etag: fieldsOf(route.response).includes('version') ? TAG : undefined,
    cache: 'no-store',
  })
  const { etag } = first
  for (const named of [etag, `W/${etag}`, `"other", ${etag}`, '*'])
    for (const method of ['GET', 'HEAD'] as const)
      expect(await read(method, String(named))).toMatchObject(
        etag ? { ...first, status: 304, body: '' } : { status: 200 },
      )
  for (const other of ['"0"', `"${etag}"`, String(etag).slice(1, -1), 'nothing'])
    expect((await read('GET', other)).status).toBe(200)
  // What another user is shown may differ.
  for (const who of [people.owner, people.moderator, people.user]) {
    const theirs = await read('GET', undefined, who.token)
    if (theirs.etag === etag && etag) expect(theirs.body).toBe(body)
  }
})

test('changes the ETag when a rating or linked entity changes', async () => {
  const { call, read, changedBy } = await aReader()
  const [tag, character] = [await aTag(), await aCharacter()]
  const { _id: plain } = await aMedia()
  const { _id: linked } = await aMedia({ tags: [tag], characters: [character], relatedMedia: [plain] })
  const { _id: rated } = await aMedia()
  expect((await read(`/api/media/${rated}`)).etag).toBe('"1"')
  await changedBy(`/api/media/${rated}`, () => aRating(rated, 4))
  const { _id: id } = await call(ratingsApi.create, { body: { mediaId: rated, score: 8 } })
  await changedBy(`/api/media/${rated}`, () => call(ratingsApi.update, { id, body: { score: 3 } }))
  await changedBy(`/api/media/${rated}`, () => call(ratingsApi.remove, { id }))
  const renamed = { ...newTag(), translations: { en: { name: 'Renamed', description: '' } } }
  await changedBy(`/api/media/${linked}`, () => call(tagsApi.update, { id: tag, body: renamed }))
  await changedBy(`/api/media/${linked}`, () => aRating(plain, 2))
  await changedBy(`/api/media/${linked}`, () => call(charactersApi.remove, { id: character }))
  await changedBy(`/api/tags/${tag}`, () => aMedia({ tags: [tag] }))
  expect((await read(`/api/media/${linked}`)).etag).toMatch(/^"\d+-[\w-]{16}"$/)
})

test('accepts every ETag that it has sent in If-Match, and compares only its version', async () => {
  const { token, read } = await aReader()
  const { _id: id } = await aMedia({ tags: [await aTag()] })
  const { etag } = await read(`/api/media/${id}`)
  expect(etag).toMatch(/^"1-/)
  const put = (ifMatch: string, title: string) =>
    app.inject({
      method: 'PUT',
      url: `/api/media/${id}`,
      headers: { authorization: `Bearer ${token}`, 'if-match': ifMatch },
      payload: mediaInput({ translations: { en: { title, description: '' } }, tags: [] }),
    })
  // A rating in between is no edit.
  await aRating(id, 5)
  const saved = await put(etag, 'One')
  expect(saved.statusCode).toBe(200)
  expect(saved.headers.etag).toBe((await read(`/api/media/${id}`)).etag)
  expect((await put(`W/${etag}`, 'Two')).statusCode).toBe(412)
  expect((await put(String(saved.headers.etag), 'Three')).statusCode).toBe(200)
  for (const wrong of ['"1-', '"1-a b"', '"-abc"', `"1-${'x'.repeat(100)}"`])
    expect((await put(wrong, 'x')).statusCode).toBe(400)
})

test('keeps the ETag of an asset with a signed URL when it is read again at once', async () => {
  const { token, read } = await aReader()
  const { _id: id } = (await send(await aPicture(), 'a.png', { token, fields: { isPublic: 'false' } })).body
  await idle()
  const reads = [await read(`/api/assets/${id}`), await read(`/api/assets/${id}`)]
  // The reads may be in different minutes, in which URLs are signed differently.
  if (reads[0]?.etag !== reads[1]?.etag) reads.push(await read(`/api/assets/${id}`))
  expect(reads.at(-1)?.etag).toBe(reads.at(-2)?.etag)
})

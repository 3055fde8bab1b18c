import { pathOf, TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { mediaApi } from '@mokuroku/contract/media'
import { expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { db } from '#database/db.ts'
import { search } from '#store/search'
import { app, signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, aUser } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { endpoints } from '../src/app.ts'

withApp()

const titled = (title: string) => ({ translations: { en: { title, description: '' } } })

/** Every list that takes `search`, and how something of that name comes to be in it. */
const LISTS: Record<string, (name: string, token: string) => Promise<string>> = {
  '/api/media': async (name) => (await aMedia(titled(name)))._id,
  '/api/characters': (name) => aCharacter({ translations: { en: { name, description: '' } } }),
  '/api/tags': (name) => aTag({ translations: { en: { name, description: '' } } }),
  '/api/users': async (name) => (await aUser({ username: name }))._id,
  '/api/assets': async (name, token) => (await send(await aPicture(), name, { token })).body._id,
}

/** Worst first, so that newest first would be wrong too where the names are stored in this order. */
const NAMES = ['old wobblegrin', 'wobblegrin zwei', 'wobblegrin', 'an old wobblegrin']
const BY_MATCH = ['wobblegrin', 'wobblegrin zwei', 'old wobblegrin', 'an old wobblegrin']

async function idsOf(token: string, path: string, query: Record<string, string>): Promise<string[]> {
  const { body } = await app.inject({
    url: `${path}?${new URLSearchParams(query)}`,
    headers: { authorization: `Bearer ${token}` },
  })
  const answer = JSON.parse(body) as unknown
  const rows = Array.isArray(answer)
    ? answer
    : Object.values(answer as Record<string, unknown>).find((value) => Array.isArray(value))
  return (rows as { _id: string }[]).map(({ _id }) => _id)
}

/** Logs, which stay in the order of time and say so. */
const BY_TIME = ['/api/audit', '/api/audit/export']
/** Files, in the order of ids. */
const EXPORTS = TRANSLATED_KINDS.map((kind) => `${pathOf(kind)}/export`)

test('every list that takes a search is known here', () => {
  const searched = endpoints.filter(({ route }) => {
    const shape = (route.query as z.ZodMiniObject | undefined)?.shape
    return shape && 'search' in shape
  })
  expect(searched.map(({ route }) => route.path).toSorted()).toEqual(
    [...Object.keys(LISTS), ...BY_TIME, ...EXPORTS].toSorted(),
  )
})

test.each(Object.entries(LISTS))('%s is in the order of the match, page by page', async (path, add) => {
  const { token } = await signedIn()
  const idOf = new Map<string, string>()
  for (const name of NAMES) idOf.set(name, await add(name, token))
  const expected = BY_MATCH.map((name) => idOf.get(name))
  expect(await idsOf(token, path, { search: 'wobblegrin' })).toEqual(expected)
  const page = (at: number) => idsOf(token, path, { search: 'wobblegrin', limit: '2', ...pageOf(path, at) })
  expect(await page(2)).toEqual(expected.slice(2))
  expect(await page(900_000)).toEqual([])
  // Nothing is searched for: newest first.
  expect((await idsOf(token, path, { limit: '1' }))[0]).toBe(idOf.get('an old wobblegrin'))
})

/** A page of two, by number or by offset, whichever the list takes. */
const pageOf = (path: string, at: number): Record<string, string> =>
  path === '/api/tags' || path === '/api/assets' ? { skip: String((at - 1) * 2) } : { page: String(at) }

test.each(['/api/media', '/api/users'])('%s: an order that was chosen wins over the match', async (path) => {
  const { token } = await signedIn()
  const first = await LISTS[path]?.('quizzlefant', token)
  const second = await LISTS[path]?.('old quizzlefant', token)
  const listed = (sort?: string) => idsOf(token, path, { search: 'quizzlefant', ...(sort && { sort }) })
  expect(await listed()).toEqual([first, second])
  expect(await listed('relevance')).toEqual([first, second])
  expect(await listed('-createdAt')).toEqual([second, first])
  expect(await listed('createdAt')).toEqual([first, second])
  expect((await idsOf(token, path, { sort: 'relevance', limit: '1' }))[0]).toBe(second)
})

test('a filter keeps the order of the match, and so does whose items they are', async () => {
  const { call, actor } = await signedIn()
  const own = { actor }
  const inside = await aMedia({ ...titled('The Flumox'), mediaType: 'NOVEL' }, own)
  const exact = await aMedia({ ...titled('Flumox'), mediaType: 'NOVEL' }, own)
  const prefix = await aMedia({ ...titled('Flumox Two'), mediaType: 'NOVEL' }, own)
  await aMedia({ ...titled('Flumox'), mediaType: 'ANIME' })
  const listed = async (query: object) =>
    (await call(mediaApi.list, { query: { search: 'flumox', ...query } })).map(({ _id }) => _id)
  const expected = [exact._id, prefix._id, inside._id]
  expect(await listed({ type: 'NOVEL' })).toEqual(expected)
  expect(await listed({ userId: actor._id })).toEqual(expected)
})

test('a file name finds that file first: whole, then beginning, then inside, and mistyped only when there is nothing else', async () => {
  const { token } = await signedIn()
  const idOf = new Map<string, string>()
  for (const name of ['vex.png', 'my vix.png', 'vix.png', 'vix.png.copy.png', 'fix.png'])
    idOf.set(name, (await LISTS['/api/assets']?.(name, token)) ?? '')
  const listed = async (text: string) => {
    const ids = await idsOf(token, '/api/assets', { search: text })
    return ids.map((id) => [...idOf].find(([, each]) => each === id)?.[0])
  }
  expect(await listed('vix.png')).toEqual(['vix.png', 'vix.png.copy.png', 'my vix.png'])
  expect(await listed('vax.png')).toEqual(expect.arrayContaining(['vix.png', 'vex.png']))
})

test('what is mistyped is tried when nothing is as it was typed', async () => {
  for (const title of ['Genius Party', 'The Tale of Genji', 'Genjiguruma']) await aMedia(titled(title))
  const found = async (text: string) => (await search.find('Media', text, 10)).matches.map((match) => match.text)
  expect(await found('genji')).toEqual(['Genjiguruma', 'The Tale of Genji'])
  expect(await found('gneji')).toEqual(expect.arrayContaining(['The Tale of Genji']))
})

test('a word as it was typed comes before a title in kana that is read like it', async () => {
  const read = Array.from({ length: 12 }, (_, at) => `げんぽう${'かきくけこさしすせそたち'.charAt(at)}`)
  for (const title of [...read, 'Genpou Days', 'The Tale of Genpou']) await aMedia(titled(title))
  const found = async (text: string, limit: number) =>
    (await search.find('Media', text, limit)).matches.map((match) => match.text)
  expect((await found('genpou', 3)).slice(0, 2)).toEqual(['Genpou Days', 'The Tale of Genpou'])
  expect((await found('げんぽう', 14)).slice(0, 12).toSorted()).toEqual(read.toSorted())
  expect((await found('げんぽう', 14)).slice(12)).toEqual(['Genpou Days', 'The Tale of Genpou'])
})

test('what is found of very many does not depend on where the database keeps it', async () => {
  for (let at = 0; at < 260; at++) await aMedia(titled(`Volume ${at} of wexlop`))
  const found = async () => (await search.find('Media', 'wexlop', 50)).matches.map(({ entityId }) => entityId)
  const before = await found()
  expect(before).toHaveLength(50)
  // PostgreSQL writes a row anew wherever there is room.
  await db.updateTable('labels').set({ language: 'en' }).where('entityId', 'in', before).execute()
  expect(await found()).toEqual(before)
})

test('whole words with a mistake come before what only begins alike', async () => {
  for (const title of ['Friends', 'Friend Zone', 'My Friends', 'Friendship', 'Frieren: Beyond Journey’s End'])
    await aMedia(titled(title))
  const found = async (text: string) => (await search.find('Media', text, 10)).matches.map((match) => match.text)
  expect((await found('friren'))[0]).toBe('Frieren: Beyond Journey’s End')
})

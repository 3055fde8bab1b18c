import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { aiApi } from '@mokuroku/contract/ai'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import { settings } from '#store/settings'
import { assisted, useModel, withReferences } from '#test/ai.ts'
import { app, withApp } from '#test/app.ts'
import { anilistItem, anilistPage, json, kitsuItem, withCatalogues } from '#test/catalogues.ts'
import { aPicture } from '#test/files.ts'
import { says, withModel } from '#test/model.ts'

withApp()
withReferences()
const catalogues = await withCatalogues()
const model = await withModel()

afterEach(async () => {
  await settings.open({})
  await useModel()
})

const covered = (path: string) => ({ coverImage: { extraLarge: `${catalogues.origin}${path}`, large: null } })

test('merges the catalogues and the reference data, and names the sources of each field', async () => {
  // A URL in the answer that is to become a link is not used.
  const item = anilistItem({ ...covered('/bebop.png'), siteUrl: 'javascript:alert(1)' })
  catalogues.answer({
    anilist: json(anilistPage(item)),
    kitsu: json({ data: [kitsuItem({ posterImage: { original: `${catalogues.origin}/poster.jpg`, large: null } })] }),
  })
  const { searched } = await assisted()
  const { lines, images, content, complete } = await searched('Cowboy Bebop')
  expect(images.map(({ data, source }) => `${source} ${data}`).toSorted()).toEqual([
    `AniList ${catalogues.origin}/bebop.png`,
    `Kitsu ${catalogues.origin}/poster.jpg`,
  ])
  // Images arrive before the answer.
  expect(lines.findIndex(({ type }) => type === 'answer')).toBe(2)
  expect(content).toContain('From reference data, not from a model: bangumi-data (CC BY 4.0), AniList, Kitsu.')
  expect(complete?.result).toMatchObject({
    mediaType: 'ANIME',
    translations: {
      zh: { title: '星际牛仔' },
      en: { title: 'Cowboy Bebop', description: 'Enter a world in the distant future,\nwhere Bounty Hunters roam.' },
    },
    episodes: 26,
    duration: 24,
    isOngoing: false,
    characters: [
      { translations: { en: { name: 'Spike Spiegel', description: 'A tall man.' } }, tags: ['Male'] },
      { translations: { en: { name: 'Faye Valentine' } }, tags: ['Female'] },
    ],
  })
  expect(complete?.origins).toMatchObject({
    'translations.zh.title': ['bangumi-data'],
    'translations.en.description': ['AniList'],
    // Sources are named only if they have the same value.
    episodes: ['AniList', 'Kitsu'],
    duration: ['AniList'],
    releaseDate: ['bangumi-data'],
    mediaType: ['bangumi-data', 'AniList', 'Kitsu'],
  })
  expect(complete?.unavailable).toEqual([])
  expect(complete?.run.sources.map(({ name }) => name)).toEqual(['bangumi-data', 'AniList', 'Kitsu'])
  expect(complete?.run.sources[1]?.url).toBe('https://anilist.co/anime/1')
  const question = catalogues.asked.find(({ path }) => path === '/anilist')
  expect(JSON.parse(question?.body ?? '')).toMatchObject({ variables: { search: 'COWBOY BEBOP' } })
  expect(catalogues.asked.find(({ path }) => path.startsWith('/kitsu/manga'))?.headers.accept).toBe(
    'application/vnd.api+json',
  )
})

test('the release date of the reference data is the day in Japan, as that of the catalogues is', async () => {
  const title = { romaji: 'Angel Beats!', english: 'Angel Beats!', native: 'Angel Beats!' }
  const item = anilistItem({ id: 6547, idMal: 6547, title, startDate: { year: 2010, month: 4, day: 3 } })
  catalogues.answer({ anilist: json(anilistPage(item)) })
  const { searched } = await assisted()
  // The reference data says 17:25 UTC on the day before.
  expect((await searched('Angel Beats!')).complete).toMatchObject({
    result: { releaseDate: '2010-04-03T00:00:00.000Z' },
    origins: { releaseDate: ['bangumi-data', 'AniList'] },
  })
})

test('answers from one catalogue alone, and makes up no release date', async () => {
  const title = { romaji: 'Tomoshibi Mori', english: 'The Lantern Keepers', native: '灯守り' }
  const item = anilistItem({
    id: 77,
    idMal: null,
    type: 'MANGA',
    format: 'NOVEL',
    title,
    startDate: { year: 2011, month: null, day: null },
  })
  catalogues.answer({ anilist: json(anilistPage(item)) })
  const { searched } = await assisted()
  const { complete } = await searched('tomoshibi mori')
  expect(complete?.result).toMatchObject({
    mediaType: 'NOVEL',
    originalTitle: '灯守り',
    translations: { ja: { title: '灯守り' } },
  })
  // Only the year is known, so no day is made up.
  expect(complete?.result?.releaseDate).toBeUndefined()
})

test('ignores a catalogue result whose title does not match the query', async () => {
  catalogues.answer({ anilist: json(anilistPage(anilistItem(covered('/bebop.png')))) })
  const { searched } = await assisted()
  const { images, content, complete } = await searched('The Clockwork Orchard of Vellamy')
  expect(images).toEqual([])
  expect(content).toContain('does not know “The Clockwork Orchard of Vellamy”')
  expect(complete?.result).toBeNull()
})

test('takes from a catalogue only what a suggestion accepts', async () => {
  const { searched } = await assisted()
  const title = { romaji: null, english: 'Quorvel Harbour Lights', native: 'あ'.repeat(1001) }
  catalogues.answer({
    anilist: json(anilistPage(anilistItem({ title, episodes: -1, genres: ['', '<b></b>', 'Drama'], tags: [] }))),
    kitsu: json({ data: [kitsuItem({ titles: { constructor: title.english, en: title.english }, episodeCount: 12 })] }),
  })
  const { complete } = await searched(title.english)
  expect(complete?.result).toMatchObject({ episodes: 12, tags: ['Drama'] })
  expect(Object.keys(complete?.result?.translations ?? {})).toEqual(['en'])
  expect(complete?.result).not.toHaveProperty('originalTitle')
})

test('does not mix the data of two works with the same title', async () => {
  const remake = anilistItem({ id: 9, idMal: 9, startDate: { year: 2031, month: 1, day: 5 }, episodes: 12 })
  catalogues.answer({ anilist: json(anilistPage(remake)) })
  const { searched } = await assisted()
  const { complete, content } = await searched('Cowboy Bebop')
  expect(complete?.result).toMatchObject({ releaseDate: expect.stringMatching(/^1998/) as string })
  expect(complete?.result?.episodes).toBeUndefined()
  expect(content).toContain('may also mean: カウボーイビバップ')
})

test.each([
  [
    'is busy',
    json({ errors: [] }, 429, { 'retry-after': '30' }),
    'AniList is rate-limiting requests. Try again in 30 seconds.',
  ],
  ['fails', json({ errors: [{ message: 'secret' }] }, 500), 'AniList gave an unexpected response.'],
  ['sends malformed data', json({ data: 'none' }), 'AniList gave an unexpected response.'],
])('reports a catalogue that %s, and answers from the others', async (_, anilist, line) => {
  catalogues.answer({ anilist, kitsu: json({ data: [kitsuItem()] }) })
  const { searched } = await assisted()
  const { content, complete } = await searched('Cowboy Bebop')
  expect(content).toContain(line)
  expect(content).not.toContain('secret')
  expect(complete?.unavailable).toMatchObject([{ name: 'AniList', message: line }])
  expect(complete?.result).toMatchObject({ episodes: 26, duration: 25 })
})

test('backs off from an unreachable catalogue, except for an explicit retry', async () => {
  let connections = 0
  catalogues.answer({
    anilist: (response) => {
      connections++
      response.destroy()
    },
  })
  const { searched } = await assisted()
  for (const _ of [1, 2]) expect((await searched('Cowboy Bebop')).content).toContain('AniList cannot be reached.')
  expect(connections).toBe(1)
  // An explicit retry of this source does not wait for the backoff to end.
  const retried = await searched('Cowboy Bebop', { retry: ['AniList'] })
  expect(retried.complete?.unavailable).toMatchObject([{ name: 'AniList', code: 'outside.unreachable' }])
  expect(connections).toBe(2)
  catalogues.answer({ anilist: json(anilistPage(anilistItem())) })
  const { complete } = await searched('Cowboy Bebop', { retry: ['AniList'] })
  expect(complete).toMatchObject({ unavailable: [], origins: { episodes: ['AniList'] } })
})

test('frees the slot of a client that disconnects before the response begins', async () => {
  await useModel({ streamsPerUser: 1 })
  const leaving = new AbortController()
  catalogues.answer({
    anilist: (response) => {
      leaving.abort()
      setTimeout(() => response.writeHead(200).end(JSON.stringify(anilistPage())), 300)
    },
  })
  const { token, searched } = await assisted()
  const abandoned = fetch(app.listeningOrigin + aiApi.searchOutside.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: 'Cowboy Bebop' }),
    signal: leaving.signal,
  })
  await expect(abandoned).rejects.toThrow('aborted')
  const isAnswered = () =>
    searched('Cowboy Bebop').then(
      () => true,
      () => false,
    )
  await expect.poll(isAnswered).toBe(true)
})

test('a model composes from the results found, and gets the user’s requirement as data', async () => {
  await useModel({ baseUrl: model.baseUrl, model: 'small' })
  catalogues.answer({
    anilist: json(
      anilistPage(anilistItem({ id: 501, title: { romaji: 'Harbour', english: 'Harbour Song', native: '港歌' } })),
    ),
  })
  const said = {
    translations: { en: { title: 'Harbour Song', description: 'Of a harbour.' } },
    episodes: 26,
    duration: 30,
  }
  model.answers(says(`AniList has it.\n\`\`\`json\n${JSON.stringify(said)}\n\`\`\``))
  const { searched } = await assisted()
  const { complete } = await searched('Harbour Song', { requirement: 'In Italian, please' })
  expect(complete).toMatchObject({
    result: { episodes: 26, duration: 30 },
    origins: { episodes: ['AniList'], duration: ['small'], 'translations.en.title': ['AniList'] },
    run: { prompt: 'search/1', model: 'small' },
  })
  const [question] = model.questions
  expect(JSON.parse(question?.prompt ?? '')).toMatchObject({
    requirement: 'In Italian, please',
    references: [{ source: 'AniList' }],
  })
  expect(question?.instructions).not.toContain('Italian')
})

test('serves a resized, re-encoded preview of a found image, by its signed URL only', async () => {
  const picture = await aPicture(1200, 1800)
  catalogues.answer({
    anilist: json(anilistPage(anilistItem(covered('/large.png')))),
    picture: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(picture),
  })
  const { searched } = await assisted()
  const { images } = await searched('Cowboy Bebop')
  const preview = images[0]?.preview ?? ''
  const answer = await app.inject(preview)
  expect(answer.headers['content-type']).toBe('image/webp')
  expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 320, height: 480 })
  const forged = preview.replace('large.png', 'other.png')
  expect((await app.inject(forged)).statusCode).toBe(404)
  expect((await app.inject(preview.replace(/until=\d+/, 'until=99999999999'))).statusCode).toBe(404)
})

test('returns 404 for the preview of a file that is not an image', async () => {
  catalogues.answer({
    anilist: json(anilistPage(anilistItem(covered('/script.png')))),
    picture: (response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>'),
  })
  const { searched } = await assisted()
  const { images } = await searched('Cowboy Bebop')
  expect((await app.inject(images[0]?.preview ?? '')).statusCode).toBe(404)
})

/** Another AI search service; `lines` is its response. */
async function aService(lines: string, status = 200) {
  const asked: unknown[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += String(part)))
    request.on('end', () => {
      asked.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(body) as unknown })
      response.writeHead(status, { 'content-type': 'text/event-stream', 'retry-after': '5' }).end(lines)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await settings.open({ AI_SEARCH_URL: url })
  return { asked, host: new URL(url).host, close: () => server.close() }
}

test('an external search service is called with its documented body, and its answer is passed on', async () => {
  const said = JSON.stringify({ translations: { en: { title: 'Elsewhere', description: '' } } })
  const lines = [
    { type: 'image', data: 'https://pictures.example.org/1.jpg' },
    {
      type: 'image',
      data: [{ url: 'https://pictures.example.org/2.jpg', title: 'Two' }, { url: 'javascript:alert(1)' }],
    },
    { type: 'answer', data: 'Found.\n```json\n' },
    { type: 'answer', data: { content: `${said}\n\`\`\`` } },
    { type: 'other', data: 'passed over' },
  ]
  const service = await aService(
    `: hello\n\n${lines.map((line) => `data: ${JSON.stringify(line)}\n\n`).join('')}data: [DONE]\n\n`,
  )
  const { searched } = await assisted()
  const { images, content, complete } = await searched('Elsewhere', { requirement: 'Short' })
  expect(service.asked).toEqual([
    {
      path: '/api/search',
      authorization: undefined,
      body: { query: 'Elsewhere', requirement: 'Short', maxResults: 300, searchDepth: 'basic' },
    },
  ])
  expect(images.map(({ data, title }) => [data, title])).toEqual([
    ['https://pictures.example.org/1.jpg', ''],
    ['https://pictures.example.org/2.jpg', 'Two'],
  ])
  expect(content).toContain('Found.')
  expect(complete).toMatchObject({
    result: { translations: { en: { title: 'Elsewhere' } } },
    run: { provider: 'search', model: service.host },
  })
  service.close()
})

test('a search without a requirement asks the external service for the format of a suggestion', async () => {
  const service = await aService(`data: ${JSON.stringify({ type: 'answer', data: 'A light novel of 1998.' })}\n\n`)
  const { searched } = await assisted()
  const { complete } = await searched('Elsewhere', { retry: ['AniList'] })
  expect(service.asked).toMatchObject([
    {
      body: {
        query: 'Elsewhere',
        requirement: expect.stringMatching(/"translations": \{ "<language tag>"[\s\S]*languages.*: en, zh/) as string,
        maxResults: 300,
        searchDepth: 'basic',
      },
    },
  ])
  expect(JSON.stringify(service.asked)).not.toContain('retry')
  // Prose contains no data, and none is made up from it.
  expect(complete).toMatchObject({ result: null, origins: {}, run: { provider: 'search' } })
  service.close()
})

test.each([
  [
    'an error',
    `data: ${JSON.stringify({ type: 'answer', data: 'Found' })}\n\ndata: ${JSON.stringify({ type: 'error', data: 'sk-secret of 10.0.0.7' })}\n\n`,
    200,
  ],
  ['nothing', 'nothing of the protocol', 200],
  ['a refusal', '', 429],
])('reports an external search service that sends %s, without leaking details', async (what, lines, status) => {
  const service = await aService(lines, status)
  const { searched } = await assisted()
  const answer = searched('Elsewhere')
  if (what === 'an error') {
    const { lines: sent } = await answer
    expect(sent.at(-1)).toMatchObject({ type: 'error', code: 'ai.failed' })
    expect(JSON.stringify(sent)).not.toMatch(/sk-|10\.0/)
  } else
    await expect(answer).rejects.toMatchObject(
      status === 429 ? { status: 429, body: { retryAfter: 5 } } : { status: 502 },
    )
  service.close()
})

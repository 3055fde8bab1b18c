// Public catalogues on loopback: AniList's GraphQL and Kitsu's JSON:API, their images, and their faults.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach } from 'vitest'
import { CATALOGUES } from '../src/ai/sources/publicCatalogues.ts'
import { allowedInternalHosts } from '../src/ai/sources/publicFetch.ts'
import { backoffs } from '../src/ai/sources/hostBackoff.ts'

type Reply = (response: ServerResponse, request: IncomingMessage, body: string) => void

export const json =
  (value: unknown, status = 200, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value))
  }

/** AniList's response with some works. */
export const anilistPage = (...media: object[]) => ({ data: { Page: { media } } })

/** A work in AniList's format; `more` replaces default values. */
export const anilistItem = (more: object = {}) => ({
  id: 1,
  idMal: 1,
  type: 'ANIME',
  format: 'TV',
  countryOfOrigin: 'JP',
  status: 'FINISHED',
  episodes: 26,
  chapters: null,
  duration: 24,
  genres: ['Action', 'Adventure', 'Drama', 'Sci-Fi'],
  synonyms: ['카우보이 비밥'],
  title: { romaji: 'Cowboy Bebop', english: 'Cowboy Bebop', native: 'カウボーイビバップ' },
  startDate: { year: 1998, month: 4, day: 3 },
  description: 'Enter a world in the distant future,<br><i>where</i> Bounty Hunters roam. (Source: Somebody)',
  coverImage: { extraLarge: null, large: null },
  bannerImage: null,
  tags: [{ name: 'Space', rank: 95, isMediaSpoiler: false }],
  characters: {
    nodes: [
      {
        name: { full: 'Spike Spiegel', native: 'スパイク・スピーゲル' },
        gender: 'Male',
        description: 'A tall man. ~!He dies.!~',
        image: { large: null },
      },
      { name: { full: 'Faye Valentine', native: null }, gender: 'Female', description: null, image: { large: null } },
      { name: { full: 'Ein', native: null }, gender: null, description: null, image: { large: null } },
    ],
  },
  ...more,
})

/** A work in Kitsu's format. */
export const kitsuItem = (attributes: object = {}) => ({
  id: '1',
  type: 'anime',
  attributes: {
    slug: 'cowboy-bebop',
    subtype: 'TV',
    synopsis: 'In the year 2071, humanity has colonized the solar system.',
    titles: { en: 'Cowboy Bebop', en_jp: 'Cowboy Bebop', ja_jp: 'カウボーイビバップ' },
    canonicalTitle: 'Cowboy Bebop',
    abbreviatedTitles: ['COWBOY BEBOP'],
    startDate: '1998-04-03',
    status: 'finished',
    episodeCount: 26,
    episodeLength: 25,
    posterImage: null,
    ...attributes,
  },
})

/** Starts the catalogues for the tests of a file, by name. They know nothing until a test sets their responses. */
export async function withCatalogues() {
  const usual = () => ({ anilist: json(anilistPage()), kitsu: json({ data: [] }), picture: json({}, 404) })
  const replies = usual()
  const asked: { path: string; body: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const real = CATALOGUES.map(({ url }) => url)
  allowedInternalHosts.add(host)
  for (const catalogue of CATALOGUES) catalogue.url = `http://${host}/${catalogue.name.toLowerCase()}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const part of request) body += String(part)
    const path = request.url ?? ''
    asked.push({ path, body, headers: request.headers })
    const [, of = ''] = path.split(/[/?]/)
    const reply = Object.entries(replies).find(([name]) => name === of)?.[1] ?? replies.picture
    reply(response, request, body)
  }

  beforeEach(() => {
    Object.assign(replies, usual())
    asked.length = 0
    backoffs.clear()
  })
  afterAll(() => {
    allowedInternalHosts.delete(host)
    for (const [at, catalogue] of CATALOGUES.entries()) catalogue.url = real[at] ?? ''
    server.closeAllConnections()
    server.close()
  })
  return {
    origin: `http://${host}`,
    asked,
    /** Sets their responses from now on. */
    answer: (given: Partial<typeof replies>): void => void Object.assign(replies, given),
  }
}

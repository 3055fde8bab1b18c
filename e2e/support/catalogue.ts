import type { Asset } from '@mokuroku/contract/assets'
import type { Character, CharacterInput } from '@mokuroku/contract/characters'
import type { Media, MediaInput } from '@mokuroku/contract/media'
import type { Tag, TagInput } from '@mokuroku/contract/tags'
import type { APIRequestContext } from '@playwright/test'
import { expect } from './fixtures.ts'

type Given = Partial<
  Pick<MediaInput, 'mediaType' | 'isOngoing' | 'releaseDate' | 'originalTitle' | 'translations' | 'tags'>
> & {
  title?: string
}

/** A unique random word of lower-case letters, so that a test's searches find only its own media. */
export const aWord = () =>
  `q${Array.from({ length: 9 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('')}`

/** Creates a media item through the API, as the admin. */
export async function aMedia(request: APIRequestContext, token: string, { title = aWord(), ...given }: Given = {}) {
  const data = {
    mediaType: 'ANIME',
    translations: { en: { title, description: '' } },
    isOngoing: true,
    releaseDate: '2026-01-05T00:00:00.000Z',
    ...given,
  }
  const answer = await request.post('/api/media', { data, headers: { authorization: `Bearer ${token}` } })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Media
}

/** Creates a character through the API, as the admin. */
export async function aCharacter(
  request: APIRequestContext,
  token: string,
  { name = aWord(), ...given }: Partial<CharacterInput> & { name?: string } = {},
) {
  const data = { translations: { en: { name, description: '' } }, ...given }
  const answer = await request.post('/api/characters', { data, headers: { authorization: `Bearer ${token}` } })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Character
}

/** Creates a tag through the API, as the admin. */
export async function aTag(
  request: APIRequestContext,
  token: string,
  { name = aWord(), ...given }: Partial<TagInput> & { name?: string } = {},
) {
  const data = {
    type: 'THEME',
    translations: { en: { name, description: '' } },
    icon: null,
    color: '#336699',
    parentTag: null,
    status: 'ACTIVE',
    ...given,
  }
  const answer = await request.post('/api/tags', { data, headers: { authorization: `Bearer ${token}` } })
  expect(answer.status(), await answer.text()).toBe(201)
  return (await answer.json()) as Tag
}

/** Creates media with a new tag in common, whose Chinese titles are copies of the Japanese ones. */
export async function wrongTitles(request: APIRequestContext, token: string, count: number) {
  const { _id: tag } = await aTag(request, token)
  const media: Media[] = []
  for (let at = 0; at < count; at += 1) {
    const title = `${aWord()} の物語`
    const answer = await request.post('/api/media', {
      headers: { authorization: `Bearer ${token}` },
      data: {
        mediaType: 'NOVEL',
        originalTitle: title,
        translations: { ja: { title, description: '' }, zh: { title, description: '' } },
        isOngoing: false,
        releaseDate: '1914-09-20T00:00:00.000Z',
        tags: [tag],
      },
    })
    expect(answer.status(), await answer.text()).toBe(201)
    media.push((await answer.json()) as Media)
  }
  return { tag, media }
}

/** Uploads a file through the API. On a busy machine, the response does not wait until it is processed; this does. */
export async function uploaded(
  request: APIRequestContext,
  token: string,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<Asset> {
  const headers = { authorization: `Bearer ${token}` }
  const answer = await request.post('/api/assets', { multipart: { file }, headers })
  expect(answer.status(), await answer.text()).toBe(201)
  const { _id } = (await answer.json()) as Asset
  const stored = async () => (await (await request.get(`/api/assets/${_id}`, { headers })).json()) as Asset
  await expect.poll(async () => (await stored()).status).toMatch(/READY|ERROR/)
  return stored()
}

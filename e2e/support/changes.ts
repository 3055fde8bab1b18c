import type { Media, MediaInput } from '@mokuroku/contract/media'
import type { APIRequestContext } from '@playwright/test'
import { aMedia, aWord } from './catalogue.ts'
import { expect } from './fixtures.ts'

/**
 * A unique language tag, so that the history filtered by it shows only the changes of one test. It consists of digits,
 * because letters would appear in the autocompletions of other tests.
 */
export const aLanguage = () => `qaa-x-${Math.random().toFixed(8).slice(2)}`

type Changed = Pick<Media, '_id' | 'mediaType' | 'translations' | 'isOngoing' | 'releaseDate'>

/** Changes a media item through the API, as the user of the token. Omitted fields stay unchanged. */
export async function changeMedia(
  request: APIRequestContext,
  token: string,
  { _id, mediaType, translations, isOngoing, releaseDate }: Changed,
  given: Partial<MediaInput>,
) {
  const data = { mediaType, translations, isOngoing, releaseDate, ...given }
  const headers = { authorization: `Bearer ${token}` }
  const answer = await request.put(`/api/media/${_id}`, { data, headers })
  expect(answer.status(), await answer.text()).toBe(200)
  return (await answer.json()) as Media
}

/** Creates a media item with the first title in a unique language, and changes it to the others one after the other. */
export async function aChangedMedia(
  request: APIRequestContext,
  token: string,
  titles: readonly string[],
  { language = aLanguage(), by = token }: { language?: string; by?: string } = {},
) {
  const [first = '', ...others] = titles
  const english = aWord()
  const translated = (title: string) => ({
    en: { title: english, description: '' },
    [language]: { title, description: '' },
  })
  let media = await aMedia(request, token, { translations: translated(first) })
  for (const title of others) media = await changeMedia(request, by, media, { translations: translated(title) })
  return { media, language, english }
}

/** Reads a media item through the API. */
export async function storedMedia(request: APIRequestContext, token: string, { _id }: { _id: string }) {
  const answer = await request.get(`/api/media/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as Media
}

import type { Media, MediaInput } from '@mokuroku/contract/media'
import type { APIRequestContext } from '@playwright/test'
import { aMedia, aWord } from './catalogue.ts'
import { expect } from './fixtures.ts'

/**
 * A language that no other test writes in, so that the history of a test shows its own changes only. Of digits: letters
 * would turn up in the completions of other tests.
 */
export const aLanguage = () => `qaa-x-${Math.random().toFixed(8).slice(2)}`

type Changed = Pick<Media, '_id' | 'mediaType' | 'translations' | 'isOngoing' | 'releaseDate'>

/** Changes a media by the API, as whoever the token is of. What is not given stays. */
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

/** A media whose title in a language of its own went through these texts, one change after the other. */
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

/** A media as it is stored. */
export async function storedMedia(request: APIRequestContext, token: string, { _id }: { _id: string }) {
  const answer = await request.get(`/api/media/${_id}`, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as Media
}

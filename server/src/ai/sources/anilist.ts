import { toPlainText } from '@mokuroku/contract/suggestion'
import * as z from 'zod/mini'
import { askCatalogue } from './json.ts'
import { startOfDay } from './startOfDay.ts'
import type { PublicCatalogue, Work } from './source.ts'

const QUERY = `query ($search: String) {
  Page(perPage: 4) {
    media(search: $search) {
      id idMal type format countryOfOrigin status episodes chapters duration genres synonyms
      title { romaji english native }
      startDate { year month day }
      description(asHtml: false)
      coverImage { extraLarge large }
      bannerImage
      tags { name rank isMediaSpoiler }
      characters(perPage: 6, sort: [ROLE, RELEVANCE]) {
        nodes { name { full native } gender description(asHtml: false) image { large } }
      }
    }
  }
}`

const Name = z.optional(z.nullable(z.string()))
const Count = z.optional(z.nullable(z.number()))

const Item = z.object({
  id: z.number(),
  idMal: Count,
  type: z.enum(['ANIME', 'MANGA']),
  format: Name,
  countryOfOrigin: Name,
  status: Name,
  episodes: Count,
  chapters: Count,
  duration: Count,
  genres: z.optional(z.nullable(z.array(z.nullable(z.string())))),
  synonyms: z.optional(z.nullable(z.array(z.nullable(z.string())))),
  title: z.object({ romaji: Name, english: Name, native: Name }),
  startDate: z.optional(z.nullable(z.object({ year: Count, month: Count, day: Count }))),
  description: Name,
  coverImage: z.optional(z.nullable(z.object({ extraLarge: Name, large: Name }))),
  bannerImage: Name,
  tags: z.optional(
    z.nullable(
      z.array(z.object({ name: z.string(), rank: Count, isMediaSpoiler: z.optional(z.nullable(z.boolean())) })),
    ),
  ),
  characters: z.optional(
    z.nullable(
      z.object({
        nodes: z.array(
          z.object({
            name: z.object({ full: Name, native: Name }),
            gender: Name,
            description: Name,
            image: z.optional(z.nullable(z.object({ large: Name }))),
          }),
        ),
      }),
    ),
  ),
})
type Item = z.output<typeof Item>

const Answer = z.object({ data: z.object({ Page: z.object({ media: z.array(Item) }) }) })

/** AniList: titles, dates, episodes, descriptions in English, characters, genres and images. */
export const anilist: PublicCatalogue = {
  name: 'AniList',
  // GraphQL (https://docs.anilist.co).
  url: 'https://graphql.anilist.co',
  find: async (topic, signal) => {
    const { data } = await askCatalogue(Answer, {
      name: anilist.name,
      url: anilist.url,
      signal,
      body: { query: QUERY, variables: { search: topic } },
    })
    return data.Page.media.map(workOf)
  },
}

/** The language of a native title, by the work's country of origin. */
const NATIVE: Record<string, string> = { JP: 'ja', KR: 'ko', CN: 'zh-Hans', TW: 'zh-Hant' }
/** Source notes and spoilers. */
const NOTES = /\(Source:[^)]*\)|\[Written by[^\]]*\]|~![\s\S]*?!~/gi

/** Longer descriptions are cut, in characters. */
const MAX_TEXT_CHARS = 20_000

const textOf = (text: string | null | undefined): string =>
  toPlainText((text ?? '').slice(0, MAX_TEXT_CHARS).replace(NOTES, ''))

function workOf(item: Item): Work {
  const { romaji, english, native } = item.title
  const language = NATIVE[item.countryOfOrigin ?? 'JP']
  const description = textOf(item.description)
  const title = english || romaji || native || ''
  const people = item.characters?.nodes.filter(({ name }) => name.full) ?? []
  const descriptive = (item.tags ?? []).filter(({ isMediaSpoiler }) => !isMediaSpoiler)
  return {
    source: { name: anilist.name, url: `https://anilist.co/${item.type.toLowerCase()}/${item.id}` },
    mediaType: item.type === 'MANGA' && item.format === 'NOVEL' ? 'NOVEL' : item.type,
    titles: { ...(english && { en: textOf(english) }), ...(native && language && { [language]: textOf(native) }) },
    otherTitles: [romaji, ...(item.synonyms ?? [])].flatMap((each) => each ?? []),
    originalTitle: textOf(native) || undefined,
    descriptions: description ? { en: description } : {},
    releaseDate: startOfDay(item.startDate),
    isOngoing: item.status === 'RELEASING' ? true : item.status === 'FINISHED' ? false : undefined,
    episodes: item.episodes ?? item.chapters ?? undefined,
    duration: item.duration ?? undefined,
    tags: [...(item.genres ?? []).flatMap((each) => each ?? []), ...descriptive.map(({ name }) => name)].map(textOf),
    characters: people.map(({ name, gender, description: about }) => ({
      translations: { en: { name: textOf(name.full), description: textOf(about) } },
      originalName: textOf(name.native) || undefined,
      tags: gender === 'Male' || gender === 'Female' ? [gender] : [],
      assets: [],
      cover: '',
    })),
    pictures: [
      { url: item.coverImage?.extraLarge ?? item.coverImage?.large ?? '', title },
      { url: item.bannerImage ?? '', title },
      ...people.map(({ name, image }) => ({ url: image?.large ?? '', title: textOf(name.full) })),
    ].filter(({ url }) => url),
    ids: [`anilist:${item.id}`, ...(item.idMal ? [`mal:${item.idMal}`] : [])],
  }
}

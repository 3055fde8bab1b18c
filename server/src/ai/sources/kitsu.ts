import { canonical } from '@mokuroku/contract/languageTags'
import { toPlainText } from '@mokuroku/contract/suggestion'
import * as z from 'zod/mini'
import { askCatalogue } from './json.ts'
import { parseDay } from './startOfDay.ts'
import type { PublicCatalogue, Work } from './source.ts'

const Name = z.optional(z.nullable(z.string()))
const Count = z.optional(z.nullable(z.number()))

const Item = z.object({
  id: z.string(),
  type: z.enum(['anime', 'manga']),
  attributes: z.object({
    slug: Name,
    subtype: Name,
    synopsis: Name,
    titles: z.record(z.string(), z.nullable(z.string())),
    canonicalTitle: Name,
    abbreviatedTitles: z.optional(z.nullable(z.array(z.nullable(z.string())))),
    startDate: Name,
    status: Name,
    episodeCount: Count,
    episodeLength: Count,
    chapterCount: Count,
    posterImage: z.optional(z.nullable(z.object({ original: Name, large: Name }))),
  }),
})
type Item = z.output<typeof Item>

const Answer = z.object({ data: z.array(Item) })

/** Kitsu: anime, manga and novels, with titles in several languages, descriptions in English, dates and posters. */
export const kitsu: PublicCatalogue = {
  name: 'Kitsu',
  // JSON:API (https://kitsu.docs.apiary.io).
  url: 'https://kitsu.app/api/edge',
  find: async (topic, signal) => {
    const found = await Promise.all(
      ['anime', 'manga'].map((kind) =>
        askCatalogue(Answer, {
          name: kitsu.name,
          url: `${kitsu.url}/${kind}?${new URLSearchParams({ 'filter[text]': topic, 'page[limit]': '4' })}`,
          accept: 'application/vnd.api+json',
          signal,
        }),
      ),
    )
    return found.flatMap(({ data }) => data.map(workOf))
  },
}

/** Longer descriptions are cut, in characters. */
const MAX_TEXT_CHARS = 20_000
/** Maps Kitsu's language codes to tags: a country stands for a script, and some codes mean romanized titles. */
const LANGUAGES: Record<string, string> = {
  en_us: 'en',
  ja_jp: 'ja',
  ko_kr: 'ko',
  zh_cn: 'zh-Hans',
  zh_tw: 'zh-Hant',
  zh_hk: 'zh-Hant',
  th_th: 'th',
  ru_ru: 'ru',
}
const ROMANIZED = /^(en|ja|zh|ko)_(jp|cn|kr|tw|latn)$/

function workOf({ id, type, attributes: item }: Item): Work {
  const titles: Record<string, string> = {}
  for (const [key, title] of Object.entries(item.titles)) {
    const language = LANGUAGES[key] ?? (ROMANIZED.test(key) ? undefined : canonical(key.replace('_', '-')))
    if (language && title && !titles[language]) titles[language] = toPlainText(title)
  }
  const description = toPlainText(
    (item.synopsis ?? '').slice(0, MAX_TEXT_CHARS).replace(/\(Source:[^)]*\)|\[Written by[^\]]*\]/gi, ''),
  )
  const poster = item.posterImage?.original ?? item.posterImage?.large
  return {
    source: { name: kitsu.name, url: `https://kitsu.app/${type}/${item.slug ?? id}` },
    mediaType: type === 'anime' ? 'ANIME' : item.subtype === 'novel' ? 'NOVEL' : 'MANGA',
    titles,
    otherTitles: [item.canonicalTitle, ...Object.values(item.titles), ...(item.abbreviatedTitles ?? [])].flatMap(
      (each) => each ?? [],
    ),
    originalTitle: titles.ja ?? titles.ko ?? titles['zh-Hans'],
    descriptions: description ? { en: description } : {},
    releaseDate: parseDay(item.startDate),
    isOngoing: item.status === 'current' ? true : item.status === 'finished' ? false : undefined,
    episodes: item.episodeCount ?? item.chapterCount ?? undefined,
    duration: item.episodeLength ?? undefined,
    tags: [],
    characters: [],
    pictures: poster ? [{ url: poster, title: item.canonicalTitle ?? '' }] : [],
    ids: [`kitsu:${id}`],
  }
}

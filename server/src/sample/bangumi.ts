import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as z from 'zod/mini'
import { daysBefore, hash, REFERENCE_DATE } from './seed.ts'
import type { SampleMedia } from './types.ts'

const LANGUAGES = ['ja', 'en', 'zh-Hans', 'zh-Hant'] as const
const SEASONS = ['winter', 'spring', 'summer', 'autumn'] as const

/** What we read of an item of bangumi-data (CC BY 4.0); its data.d.ts says what the rest means. */
const BangumiItem = z.object({
  title: z.string(),
  titleTranslate: z.partialRecord(z.enum(LANGUAGES), z.array(z.string())),
  type: z.enum(['tv', 'web', 'movie', 'ova']),
  lang: z.enum(LANGUAGES),
  begin: z.string(),
  end: z.string(),
  sites: z.array(z.object({ site: z.string(), id: z.optional(z.string()), begin: z.optional(z.string()) })),
})
export type BangumiItem = z.output<typeof BangumiItem>

/** Every anime of the installed bangumi-data, oldest release first. Reads the file on each call. */
export function bangumiAnime(): Iterable<SampleMedia> {
  return animeOf(bangumiItems())
}

/** The items of the installed bangumi-data, as they stand in the file. */
export function bangumiItems(): BangumiItem[] {
  const file = createRequire(import.meta.url).resolve('bangumi-data')
  return z.object({ items: z.array(BangumiItem) }).parse(JSON.parse(readFileSync(file, 'utf8'))).items
}

/**
 * The anime of `items`, oldest release first; the imports are dated a minute apart, so that the newest release is also
 * the newest record. Two items may share a Bangumi id or have none: see `keyOf`.
 */
export function* animeOf(items: Iterable<BangumiItem>): Generator<SampleMedia> {
  const seen = new Map<string, number>()
  const dated = [...items].map((item) => ({ item, released: releaseOf(item) }))
  const sorted = dated.toSorted((a, b) => Date.parse(a.released) - Date.parse(b.released))
  for (const [index, { item, released }] of sorted.entries()) {
    const base = keyOf(item)
    const count = (seen.get(base) ?? 0) + 1
    seen.set(base, count)
    yield {
      key: count === 1 ? base : `${base}:${count}`,
      mediaType: 'ANIME',
      translations: titlesOf(item),
      originalTitle: clean(item.title),
      isOngoing: isOngoing(item),
      releaseDate: released,
      tags: tagsOf(item.type, released),
      createdAt: daysBefore(76 - index / 1440),
    }
  }
}

/** The Bangumi id, or a hash of the title and first date. What comes twice gets `:2` in the order of the items. */
function keyOf({ type, title, begin, sites }: BangumiItem): string {
  const id = sites.find(({ site }) => site === 'bangumi')?.id
  return `bangumi:${type}:${id ?? `x${hash(`${title} ${begin}`).toString(16).padStart(8, '0')}`}`
}

/** `begin`; else the first date any site showed it, else its end, else the reference date. Today all items have one. */
function releaseOf({ begin, end, sites }: BangumiItem): string {
  const shown = sites.flatMap((site) => site.begin ?? []).toSorted()
  const found = [begin, ...shown, end, REFERENCE_DATE].find((date) => !Number.isNaN(Date.parse(date)))
  return new Date(found ?? REFERENCE_DATE).toISOString()
}

/**
 * The title in its own language, and the first title of each other one. Further titles are left out: a description made
 * of them would not be one.
 */
function titlesOf({ title, titleTranslate, lang }: BangumiItem): SampleMedia['translations'] {
  const titles = { ...Object.fromEntries(LANGUAGES.map((tag) => [tag, titleTranslate[tag]?.[0] ?? ''])), [lang]: title }
  return Object.fromEntries(
    LANGUAGES.filter((tag) => clean(titles[tag] ?? '')).map((tag) => [
      tag,
      { title: clean(titles[tag] ?? ''), description: '' },
    ]),
  )
}

/** A series without an end that has begun. Not only recent ones: Sazae-san began in 1969 and is still on the air. */
const isOngoing = ({ type, begin, end }: BangumiItem) =>
  (type === 'tv' || type === 'web') && begin !== '' && begin <= REFERENCE_DATE && (end === '' || end > REFERENCE_DATE)

/** Season and decade are those of Japan: a show of 1 July, 00:00 in Tokyo, is a summer show. */
function tagsOf(type: BangumiItem['type'], released: string): string[] {
  const inJapan = new Date(Date.parse(released) + 9 * 3_600_000)
  const decade = Math.floor(inJapan.getUTCFullYear() / 10) * 10
  const season = SEASONS[Math.floor(inJapan.getUTCMonth() / 3)] ?? 'winter'
  return [`format:${type}`, `season:${season}`, `decade:${decade}s`]
}

/** Without the byte order marks, zero-width and control characters that some titles carry, and trimmed. */
const clean = (text: string) =>
  text
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()

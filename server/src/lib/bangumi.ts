import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import * as z from 'zod/mini'

const LANGUAGES = ['ja', 'en', 'zh-Hans', 'zh-Hant'] as const

/** The fields that we read of an item of bangumi-data (CC BY 4.0); its data.d.ts describes the others. */
export const BangumiItem = z.object({
  title: z.string(),
  titleTranslate: z.partialRecord(z.enum(LANGUAGES), z.array(z.string())),
  type: z.enum(['tv', 'web', 'movie', 'ova']),
  lang: z.enum(LANGUAGES),
  begin: z.string(),
  end: z.string(),
  sites: z.array(z.object({ site: z.string(), id: z.optional(z.string()), begin: z.optional(z.string()) })),
})
export type BangumiItem = z.output<typeof BangumiItem>

/** The items of the installed bangumi-data as in the file, unchecked: 7 MB, read on each call. */
export function bangumiFile(): unknown[] {
  const file = createRequire(import.meta.url).resolve('bangumi-data')
  return z.object({ items: z.array(z.unknown()) }).parse(JSON.parse(readFileSync(file, 'utf8'))).items
}

/** The items of the installed bangumi-data. */
export const bangumiItems = (): BangumiItem[] => z.array(BangumiItem).parse(bangumiFile())

/** The title in the original language, and the first title in each other language, by language. */
export function titlesOf({ title, titleTranslate, lang }: BangumiItem): Record<string, string> {
  const titles = { ...Object.fromEntries(LANGUAGES.map((tag) => [tag, titleTranslate[tag]?.[0] ?? ''])), [lang]: title }
  return Object.fromEntries(
    LANGUAGES.map((tag) => [tag, cleanTitle(titles[tag] ?? '')]).filter(([, cleaned]) => cleaned),
  ) as Record<string, string>
}

/** `begin`, or the first date that any site showed it, or its end, as an ISO timestamp. Today all items have one. */
export function releaseOf({ begin, end, sites }: BangumiItem): string | undefined {
  const shown = sites.flatMap((site) => site.begin ?? []).toSorted()
  const found = [begin, ...shown, end].find((date) => !Number.isNaN(Date.parse(date)))
  return found && new Date(found).toISOString()
}

/** A series that has begun and has no end. Not only recent ones: Sazae-san began in 1969 and is still on the air. */
export const isOngoingAt = (at: string, { type, begin, end }: BangumiItem): boolean =>
  (type === 'tv' || type === 'web') && begin !== '' && begin <= at && (end === '' || end > at)

/** Removes the byte order marks, zero-width and control characters that some titles contain, and trims. */
export const cleanTitle = (text: string): string =>
  text
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()

const SEASONS = ['winter', 'spring', 'summer', 'autumn'] as const

/** Season and decade are those of Japan: a show of 1 July, 00:00 in Tokyo, is a summer show. */
export function seasonOf(released: string): { season: (typeof SEASONS)[number]; decade: string } {
  const inJapan = new Date(Date.parse(released) + 9 * 3_600_000)
  const decade = Math.floor(inJapan.getUTCFullYear() / 10) * 10
  return { season: SEASONS[Math.floor(inJapan.getUTCMonth() / 3)] ?? 'winter', decade: `${decade}s` }
}

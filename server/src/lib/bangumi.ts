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

/**
 * The day in Japan of `begin`, or of the first date that any site showed it, or of its end, as the ISO timestamp of its
 * start in UTC, like every release date. The data has moments: those of a day alone are 15:00 or 16:00 UTC of the day
 * before. Today all items have one.
 */
export function releaseOf({ begin, end, sites }: BangumiItem): string | undefined {
  const shown = sites.flatMap((site) => site.begin ?? []).toSorted()
  const found = [begin, ...shown, end].find((date) => !Number.isNaN(Date.parse(date)))
  return found && `${inJapan(found).toISOString().slice(0, 10)}T00:00:00.000Z`
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

/** The season and decade of a release date. */
export function seasonOf(released: string): { season: (typeof SEASONS)[number]; decade: string } {
  const date = new Date(released)
  const decade = Math.floor(date.getUTCFullYear() / 10) * 10
  return { season: SEASONS[Math.floor(date.getUTCMonth() / 3)] ?? 'winter', decade: `${decade}s` }
}

/** A moment with the date and time of Japan in its UTC fields. */
const inJapan = (moment: string): Date => new Date(Date.parse(moment) + 9 * 3_600_000)

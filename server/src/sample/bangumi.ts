import { type BangumiItem, bangumiItems, cleanTitle, isOngoingAt, releaseOf, seasonOf, titlesOf } from '#lib/bangumi.ts'
import type { SampleMedia } from './data.ts'
import { daysBefore, hash, REFERENCE_DATE } from './seed.ts'

/** Every anime of the installed bangumi-data, oldest release first. Reads the file on each call. */
export function bangumiAnime(): Iterable<SampleMedia> {
  return animeOf(bangumiItems())
}

/**
 * The anime of `items`, oldest release first. They are dated a minute apart, so that the newest release is also the
 * newest record. Two items may share a Bangumi id or have none: see `keyOf`.
 */
export function* animeOf(items: Iterable<BangumiItem>): Generator<SampleMedia> {
  const seen = new Map<string, number>()
  const dated = [...items].map((item) => ({ item, released: releaseOf(item) ?? REFERENCE_DATE }))
  const sorted = dated.toSorted((a, b) => Date.parse(a.released) - Date.parse(b.released))
  for (const [index, { item, released }] of sorted.entries()) {
    const base = keyOf(item)
    const count = (seen.get(base) ?? 0) + 1
    seen.set(base, count)
    yield {
      key: count === 1 ? base : `${base}:${count}`,
      mediaType: 'ANIME',
      translations: translationsOf(item),
      originalTitle: cleanTitle(item.title),
      isOngoing: isOngoingAt(REFERENCE_DATE, item),
      releaseDate: released,
      tags: tagsOf(item.type, released),
      createdAt: daysBefore(76 - index / 1440),
    }
  }
}

/** The Bangumi id, or a hash of the title and first date. Duplicates get `:2` and so on, in the order of the items. */
function keyOf({ type, title, begin, sites }: BangumiItem): string {
  const id = sites.find(({ site }) => site === 'bangumi')?.id
  return `bangumi:${type}:${id ?? `x${hash(`${title} ${begin}`).toString(16).padStart(8, '0')}`}`
}

/** Alternative titles are left out: a list of them would be no description. */
const translationsOf = (item: BangumiItem): SampleMedia['translations'] =>
  Object.fromEntries(Object.entries(titlesOf(item)).map(([tag, title]) => [tag, { title, description: '' }]))

function tagsOf(type: BangumiItem['type'], released: string): string[] {
  const { season, decade } = seasonOf(released)
  return [`format:${type}`, `season:${season}`, `decade:${decade}`]
}

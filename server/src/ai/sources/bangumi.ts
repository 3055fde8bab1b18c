import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { bangumiFile, BangumiItem, cleanTitle, isOngoingAt, releaseOf, seasonOf, titlesOf } from '#lib/bangumi.ts'
import { now } from '#lib/clock.ts'
import { lazy } from '#lib/lazy.ts'
import { search } from '#store/search'
import { topicMatches } from './topicMatches.ts'
import type { Reference, Work } from './source.ts'

const SOURCE = { name: 'bangumi-data', url: 'https://github.com/bangumi-data/bangumi-data', licence: 'CC BY 4.0' }
const FORMATS = { tv: 'TV series', web: 'Web series', movie: 'Movie', ova: 'OVA' }
/** Names of sites in the data, and our prefixes for their ids of a work. */
const KNOWN_AS: Record<string, string> = { aniList: 'anilist', mal: 'mal', bangumi: 'bangumi' }
/** Number of items indexed before other requests get a turn. */
const BATCH_SIZE = 200

/** The open reference data: titles in ja, zh-Hans, zh-Hant and en, first and last date, format. */
export const bangumi: Reference = {
  name: SOURCE.name,
  find: async (topic) => {
    const { items, labels } = await indexed()
    const found = await topicMatches(topic, async (asked) => search.among(asked, labels, 8))
    return found.flatMap(({ entityId }) => {
      const item = items[Number(entityId)]
      return item ? [workOf(item)] : []
    })
  },
  named: async (titles) => {
    const { items, byForm } = await indexed()
    const found = new Set(titles.flatMap(search.spellings).flatMap((form) => byForm.get(form) ?? []))
    return [...found].flatMap((at) => (items[at] ? [workOf(items[at])] : []))
  },
}

/** Loads the index ahead of the first query. */
export const preloadIndex = (): void => void indexed().catch(() => undefined)

/** Reads and indexes the data on first use. */
const indexed = lazy(build)

async function build() {
  const items: BangumiItem[] = []
  const labels = []
  const byForm = new Map<string, number[]>()
  for (const [at, raw] of bangumiFile().entries()) {
    if (at % BATCH_SIZE === 0) await yieldToEventLoop()
    const item = BangumiItem.parse(raw)
    items.push(item)
    for (const [language, text] of namesOf(item))
      for (const compact of search.spellings(text)) {
        labels.push({ entityId: String(at), language, text, compact })
        byForm.set(compact, [...(byForm.get(compact) ?? []), at])
      }
  }
  return { items, labels, byForm }
}

const namesOf = ({ title, lang, titleTranslate }: BangumiItem): [language: string, text: string][] => [
  [lang, title],
  ...Object.entries(titleTranslate).flatMap(([language, texts]) =>
    texts.map((text): [string, string] => [language, text]),
  ),
]

function workOf(item: BangumiItem): Work {
  const releaseDate = releaseOf(item)
  return {
    source: SOURCE,
    mediaType: 'ANIME',
    titles: titlesOf(item),
    otherTitles: namesOf(item).map(([, text]) => cleanTitle(text)),
    originalTitle: cleanTitle(item.title),
    descriptions: {},
    releaseDate,
    isOngoing: isOngoingAt(now(), item),
    tags: [FORMATS[item.type], ...(releaseDate ? [seasonOf(releaseDate).decade] : [])],
    characters: [],
    pictures: [],
    ids: item.sites.flatMap(({ site, id }) => (KNOWN_AS[site] && id ? [`${KNOWN_AS[site]}:${id}`] : [])),
  }
}

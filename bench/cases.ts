// The calls to measure: those that users wait for.
import { between, pick, seeded } from '../server/src/sample/seed.ts'
import { mediaId, momentOf, tagId } from './catalogue.ts'
import type { Ask, Client } from './load.ts'
import { type Titles, titlesOf } from './titles.ts'

export interface Case {
  name: string
  /** Creates a generator of calls. Each of the two servers (`server` is 0 or 1) gets its own. */
  calls: (size: number, server: number, client: Client) => (() => Ask) | Promise<() => Ask>
  /** Whether both servers must return identical bytes. */
  isSame: boolean
  /** Whether responses may come from the server's cache; otherwise the cache is bypassed. */
  mayBeCached?: true
}

/** The number of different calls in the cached cases. */
const AGAIN = 100

const always = (path: string) => () => () => ({ path })

export const cases: Case[] = [
  { name: 'list, first page', calls: always('/api/media'), isSame: true },
  {
    name: 'list, by type and status',
    isSame: true,
    calls: () => {
      const random = seeded('filters')
      return () => ({
        path: `/api/media?type=${pick(random, ['ANIME', 'MANGA', 'NOVEL'])}&isOngoing=${pick(random, ['true', 'false'])}`,
      })
    },
  },
  { name: 'list, best rated first', calls: always('/api/media?sort=-averageRating'), isSame: true },
  {
    name: 'list, last page',
    isSame: true,
    calls: (size) => () => ({ path: `/api/media?page=${Math.ceil(size / 10)}` }),
  },
  {
    name: 'list, middle page',
    isSame: true,
    calls: (size) => () => ({ path: `/api/media?page=${Math.ceil(size / 20)}` }),
  },
  { name: 'list, by finding', calls: always('/api/media?finding=noCover'), isSame: true },
  // The worst case for a list: most media have the finding, but no media matches both filters.
  {
    name: 'list, by finding and cover',
    calls: always('/api/media?finding=noCover&hasCover=true'),
    isSame: false,
  },
  {
    name: 'list, by tags and cover',
    isSame: true,
    calls: () => {
      const random = seeded('tags')
      return () => ({ path: `/api/media?tags=${tagId(between(random, 0, 59))}&hasCover=false` })
    },
  },
  { name: 'findings of media', calls: always('/api/findings?entityType=Media'), isSame: false },
  {
    name: 'bulk, preview of 100',
    isSame: false,
    calls: (size) => {
      const random = seeded('bulk')
      return () => {
        const ids = Array.from({ length: 100 }, () => mediaId(between(random, 0, size - 1), size))
        const body = { ids: [...new Set(ids)], change: { addTags: [tagId(between(random, 0, 59))] }, dryRun: true }
        return { method: 'POST', path: '/api/media/bulk', body: JSON.stringify(body) }
      }
    },
  },
  { name: 'search as you type, Latin', calls: typing(['en']), isSame: false },
  { name: 'search as you type, CJK', calls: typing(['ja', 'zh']), isSame: false },
  { name: 'search as you type, kana', calls: typing(['ja'], /^[\u3041-\u30ff]/), isSame: false },
  { name: 'search as you type, Cyrillic', calls: typing(['ru']), isSame: false },
  { name: 'one media by id', calls: oneMedia, isSame: true },
  { name: 'list, first page, again', calls: always('/api/media'), isSame: true, mayBeCached: true },
  { name: 'one media by id, again', calls: again(oneMedia), isSame: true, mayBeCached: true },
  { name: 'search, Latin, again', calls: again(typing(['en'])), isSame: false, mayBeCached: true },
  { name: 'save', calls: saves, isSame: false },
]

function oneMedia(size: number): () => Ask {
  const random = seeded('ids')
  return () => ({ path: `/api/media/${mediaId(between(random, 0, size - 1), size)}` })
}

/** Repeats the first calls of a case. */
function again(calls: (size: number) => () => Ask): Case['calls'] {
  return (size) => {
    const next = calls(size)
    const asked = Array.from({ length: AGAIN }, next)
    let count = 0
    return () => asked[count++ % AGAIN] ?? next()
  }
}

/** Searches for the beginnings of titles that match `like`, one more character with each call, up to twelve. */
function typing(languages: (keyof Titles)[], like = /^/): (size: number) => () => Ask {
  return (size) => {
    const random = seeded(`typing ${languages.join()}`)
    let [text, length] = [[] as string[], 0]
    return () => {
      if (length >= Math.min(text.length, 12)) {
        do text = Array.from(titlesOf(between(random, 0, size - 1))[pick(random, languages)])
        while (!like.test(text.join('')))
        length = 1
      }
      length++
      return { path: `/api/search?q=${encodeURIComponent(text.slice(0, length).join(''))}` }
    }
  }
}

/** Saves new English titles of the same media in turn, each based on the version before. Each server has own media. */
async function saves(size: number, server: number, client: Client): Promise<() => Ask> {
  const media = await Promise.all(
    Array.from({ length: Math.min(100, Math.floor(size / 20)) }, async (_, each) => {
      const number = 10 * each + server
      const path = `/api/media/${mediaId(number, size)}`
      const { version } = JSON.parse((await client.ask({ path })).body) as { version: number }
      return { number, path, version }
    }),
  )
  let count = 0
  return () => {
    const each = media[count++ % media.length]
    if (!each) throw new Error('There is no media to save')
    const { en, ja, zh, ru } = titlesOf(each.number)
    const body = {
      mediaType: 'ANIME',
      translations: {
        en: { title: `${en} ${count} of ${Date.now()}`, description: '' },
        ja: { title: ja, description: '' },
        zh: { title: zh, description: '' },
        ru: { title: ru, description: '' },
      },
      isOngoing: false,
      releaseDate: new Date(momentOf(each.number, size)).toISOString(),
      tags: [],
    }
    const headers = { 'if-match': `"${each.version++}"` }
    return { method: 'PUT', path: each.path, headers, body: JSON.stringify(body) }
  }
}

// What is measured: the calls that people wait for.
import { between, pick, seeded } from '../server/src/sample/seed.ts'
import { mediaId, momentOf } from './catalogue.ts'
import type { Ask } from './load.ts'
import { titlesOf } from './titles.ts'

export interface Case {
  name: string
  /** The calls, one after the other; each of the two servers has a stream of its own, named by `server`. */
  calls: (size: number, server: number) => () => Ask
  /** Whether both servers must answer with the same bytes. */
  isSame: boolean
}

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
  { name: 'search as you type, Latin', calls: typing(['en']), isSame: false },
  { name: 'search as you type, CJK', calls: typing(['ja', 'zh']), isSame: false },
  {
    name: 'one media by id',
    isSame: true,
    calls: (size) => {
      const random = seeded('ids')
      return () => ({ path: `/api/media/${mediaId(between(random, 0, size - 1), size)}` })
    },
  },
  { name: 'save', calls: saves, isSame: false },
]

/** Every beginning of a title, a character more each time, as far as twelve. */
function typing(languages: ('en' | 'ja' | 'zh')[]): Case['calls'] {
  return (size) => {
    const random = seeded(`typing ${languages.join()}`)
    let [text, length] = [[] as string[], 0]
    return () => {
      if (length >= Math.min(text.length, 12)) {
        text = Array.from(titlesOf(between(random, 0, size - 1))[pick(random, languages)])
        length = 1
      }
      length++
      return { path: `/api/search?q=${encodeURIComponent(text.slice(0, length).join(''))}` }
    }
  }
}

/** A new English title each time, based on the version before, over and over the same hundred media. */
function saves(size: number, server: number): () => Ask {
  const versions = new Map<number, number>()
  let count = 0
  return () => {
    // Unedited ones, which have version 1: the two servers take turns with them. See catalogue.ts.
    const number = 10 * (count++ % Math.min(100, Math.floor(size / 20))) + 1 + server
    const version = versions.get(number) ?? 1
    versions.set(number, version + 1)
    const { en, ja, zh } = titlesOf(number)
    const translations = {
      en: { title: `${en} ${count}`, description: '' },
      ja: { title: ja, description: '' },
      zh: { title: zh, description: '' },
    }
    const body = {
      mediaType: 'ANIME',
      translations,
      isOngoing: false,
      releaseDate: new Date(momentOf(number, size)).toISOString(),
      tags: [],
    }
    return {
      method: 'PUT',
      path: `/api/media/${mediaId(number, size)}`,
      headers: { 'if-match': `"${version}"` },
      body: JSON.stringify(body),
    }
  }
}

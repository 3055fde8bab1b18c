import { MAX_SUGGESTED_TAGS, TagName } from '@mokuroku/contract/suggestion'
import { db } from '#database/db.ts'
import { titleOf } from '#ledger/texts.ts'
import { characters } from '#store/characters'
import { media } from '#store/media'
import { search } from '#store/search'
import { topicMatches } from './topicMatches.ts'
import type { Reference, Work } from './source.ts'

/** Maximum number of works, and of characters of each, that are returned. */
const LIMITS = { works: 3, characters: 6 }

/** This catalogue as a source. */
export const catalogue: Reference = {
  name: 'This catalogue',
  find: async (topic) => {
    const found = await topicMatches(topic, async (each) => (await search.find('Media', each, LIMITS.works)).matches)
    return worksOf(found.map(({ entityId }) => entityId))
  },
  named: async (titles) => {
    const found = [...(await search.named(db, 'Media', titles)).values()].flat()
    return worksOf([...new Set(found.map(({ entityId }) => entityId))].slice(0, LIMITS.works))
  },
}

async function worksOf(ids: string[]): Promise<Work[]> {
  const rows = await media.byIds(ids)
  const people = await characters.byIds([...new Set(rows.flatMap((row) => row.characters.slice(0, LIMITS.characters)))])
  const byId = new Map(people.map((one) => [one._id, one]))
  return rows.map((row): Work => {
    const texts = Object.entries(row.translations)
    return {
      source: { name: catalogue.name, url: `/media/${row._id}` },
      mediaType: row.mediaType,
      titles: Object.fromEntries(texts.filter(([, { title }]) => title).map(([tag, { title }]) => [tag, title])),
      otherTitles: [],
      originalTitle: row.originalTitle,
      descriptions: Object.fromEntries(
        texts.filter(([, { description }]) => description).map(([tag, { description }]) => [tag, description]),
      ),
      releaseDate: row.releaseDate,
      isOngoing: row.isOngoing,
      // 0 means unknown.
      episodes: row.episodes || undefined,
      duration: row.duration || undefined,
      tags: row.tags.map(({ translations }) => titleOf(translations, 'name')).filter(Boolean),
      characters: row.characters.flatMap((id) => {
        const one = byId.get(id)
        if (!one) return []
        const names = one.tags.map(({ translations }) => titleOf(translations, 'name'))
        const tags = names.filter((name) => TagName.safeParse(name).success).slice(0, MAX_SUGGESTED_TAGS)
        return [{ translations: one.translations, originalName: one.originalName, tags, assets: [], cover: '' }]
      }),
      pictures: [],
      ids: [],
      entityId: row._id,
    }
  })
}

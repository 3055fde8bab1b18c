import { type Character, CharacterInput } from '@mokuroku/contract/characters'
import { db } from '#lib/db.ts'
import { ledger } from '#lib/ledger.ts'
import { labelsOf, titleOf } from '#lib/texts.ts'
import type { CharacterFields } from '#lib/tables.ts'
import { assets } from '#store/assets'

export const characters = {
  ...ledger<CharacterFields>({
    kind: 'Character',
    fields: Object.keys(CharacterInput.shape),
    empty: { tags: [], assets: [], cover: '' },
    links: { tags: 'Tag', assets: 'Asset', cover: 'Asset' },
    title: ({ translations, originalName }) => titleOf(translations, 'name', originalName),
    labels: ({ translations, originalName }) => labelsOf(translations, 'name', originalName),
  }),

  /** A page of the characters of a media, in the order that the media gives them. */
  ofMedia: async (mediaId: string, page: number, limit: number): Promise<Character[]> => {
    const media = await db.selectFrom('media').select('characters').where('_id', '=', mediaId).executeTakeFirst()
    return byIds((media?.characters ?? []).slice((page - 1) * limit, page * limit))
  },

  byIds,
}

/** Characters with their covers, in the order of their ids; those in the trash are left out. */
async function byIds(ids: string[]): Promise<Character[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('characters')
    .selectAll()
    .where('_id', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
  const covers = await assets.refs(rows.map(({ cover }) => cover).filter(Boolean))
  const byId = new Map(rows.map((row) => [row._id, { ...row, cover: covers.get(row.cover) ?? ('' as const) }]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

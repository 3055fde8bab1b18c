import { type TagRef, TagInput } from '@mokuroku/contract/tags'
import { db } from '#lib/db.ts'
import { ledger } from '#lib/ledger.ts'
import { labelsOf, titleOf } from '#lib/texts.ts'
import type { TagFields } from '#lib/tables.ts'

export const tags = {
  ...ledger<TagFields>({
    kind: 'Tag',
    fields: Object.keys(TagInput.shape),
    empty: { icon: null, parentTag: null, status: 'ACTIVE' },
    links: { parentTag: 'Tag' },
    title: ({ translations }) => titleOf(translations, 'name'),
    labels: ({ translations }) => labelsOf(translations, 'name'),
  }),

  /** Those of the tags that are there, by id, as the entities that carry them show them. */
  refs: async (ids: string[]): Promise<Map<string, TagRef>> => {
    if (ids.length === 0) return new Map()
    const rows = await db
      .selectFrom('tags')
      .select(['_id', 'type', 'color', 'translations'])
      .where('_id', 'in', ids)
      .where('deletedAt', 'is', null)
      .execute()
    return new Map(rows.map((row) => [row._id, row]))
  },
}

import { type Tag, TagInput, type TagQuery, type TagRef } from '@mokuroku/contract/tags'
import type * as z from 'zod/mini'
import { countersOf, recountTag } from '#lib/counters.ts'
import { db, oneAtATime, type Transaction } from '#lib/db.ts'
import { invalid } from '#lib/errors.ts'
import { ledger } from '#lib/ledger.ts'
import type { TagFields, Tables } from '#lib/tables.ts'
import { labelsOf, titleOf } from '#lib/texts.ts'
import { search } from '#store/search'

export const tags = {
  ...ledger<TagFields>({
    kind: 'Tag',
    fields: Object.keys(TagInput.shape),
    empty: { icon: null, parentTag: null, status: 'ACTIVE' },
    links: { parentTag: 'Tag' },
    title: ({ translations }) => titleOf(translations, 'name'),
    labels: ({ translations }) => labelsOf(translations, 'name'),
    derive: async (tx, id, before, after) => {
      if (after?.parentTag) await refuseCircle(tx, id, after.parentTag)
      await recountTag(tx, id, before?.type, after?.type)
    },
  }),

  /** A part of the list, newest first, and how many there are in all (kept, not counted). */
  list: async ({
    limit,
    skip,
    type,
    search: text,
  }: z.output<typeof TagQuery>): Promise<{ tags: Tag[]; total: number }> => {
    const among = text ? await search.ids('Tag', text) : undefined
    if (among?.length === 0) return { tags: [], total: 0 }
    const matching = db
      .selectFrom('tags')
      .where('deletedAt', 'is', null)
      .$if(type !== undefined, (query) => query.where('type', '=', type ?? 'GENRE'))
      .$if(among !== undefined, (query) => query.where('_id', 'in', among ?? []))
    const rows = await matching
      .selectAll()
      .orderBy('createdAt', 'desc')
      .orderBy('_id', 'desc')
      .limit(limit)
      .offset(skip)
      .execute()
    const total = among
      ? (await matching.select('_id').execute()).length
      : Object.values(await countersOf(db, [type ? `tagCount.${type}` : 'tagCount']))[0]
    return { tags: rows.map(shown), total: total ?? 0 }
  },

  find: async (id: string): Promise<Tag | undefined> => {
    const row = await db
      .selectFrom('tags')
      .selectAll()
      .where('_id', '=', id)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
    return row && shown(row)
  },

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

const shown = (row: Tables['tags']): Tag => ({ ...row, createdBy: row.createdBy ?? undefined })

/** A tag may not be above itself, however far up. */
async function refuseCircle(tx: Transaction, id: string, parent: string): Promise<void> {
  // Two changes that are right by themselves could make a circle together.
  await oneAtATime(tx, 'parents of tags')
  for (let at: string | null = parent; at;) {
    if (at === id)
      invalid([{ path: 'parentTag', message: 'A tag cannot be its own parent, nor the parent of one above it' }])
    const row: { parentTag: string | null } | undefined = await tx
      .selectFrom('tags')
      .select('parentTag')
      .where('_id', '=', at)
      .executeTakeFirst()
    at = row?.parentTag ?? null
  }
}

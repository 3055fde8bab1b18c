import { type Tag, TagInput, TagQuery, type TagRef } from '@mokuroku/contract/tags'
import { fieldError } from '@mokuroku/contract/faults'
import type * as z from 'zod/mini'
import { recountTag } from '#ledger/counters.ts'
import { db, oneAtATime, type Transaction } from '#database/db.ts'
import { invalid } from '#lib/errors.ts'
import { ledger } from '#ledger/ledger.ts'
import type { TagFields, Tables } from '#database/tables.ts'
import { titled } from '#ledger/texts.ts'
import { lists } from '#store/lists'

export const tags = {
  ...ledger<TagFields>({
    kind: 'Tag',
    fields: Object.keys(TagInput.shape),
    empty: { icon: null, parentTag: null, status: 'ACTIVE' },
    links: { parentTag: 'Tag' },
    listQuery: TagQuery,
    ...titled('Tag'),
    hits: async (ids) => {
      const found = await refs(ids)
      return ids.flatMap((id) => found.get(id) ?? []).map((tag) => ({ ...tag, cover: '' as const }))
    },
    derive: async (tx, id, before, after) => {
      if (after?.parentTag) await assertNoCycle(tx, id, after.parentTag)
      await recountTag(tx, id, before?.type, after?.type)
    },
  }),

  /** A part of the list, and how many there are: kept while nothing is filtered. */
  list: async (query: z.output<typeof TagQuery>) => {
    const { ids, total } = await lists.page('Tag', query)
    return { answer: { tags: await byIds(ids), total }, total }
  },

  find: async (id: string): Promise<Tag | undefined> => (await byIds([id]))[0],

  refs,
}

/** Those of the tags that are there, by id, as the entities that carry them show them. */
async function refs(ids: string[]): Promise<Map<string, TagRef>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('tags')
    .select(['_id', 'type', 'color', 'translations'])
    .where('_id', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row._id, row]))
}

/** Tags in the order of their ids; those in the trash are left out. */
async function byIds(ids: string[]): Promise<Tag[]> {
  if (ids.length === 0) return []
  const rows = await db.selectFrom('tags').selectAll().where('_id', 'in', ids).where('deletedAt', 'is', null).execute()
  const byId = new Map(rows.map((row) => [row._id, shown(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const shown = (row: Tables['tags']): Tag => ({ ...row, createdBy: row.createdBy ?? undefined })

/** A tag may not be above itself, however far up. */
async function assertNoCycle(tx: Transaction, id: string, parent: string): Promise<void> {
  // Two changes that are right by themselves could make a circle together.
  await oneAtATime(tx, 'parents of tags')
  for (let at: string | null = parent; at;) {
    if (at === id) invalid([fieldError('parentTag', 'ownParent')])
    const row: { parentTag: string | null } | undefined = await tx
      .selectFrom('tags')
      .select('parentTag')
      .where('_id', '=', at)
      .executeTakeFirst()
    at = row?.parentTag ?? null
  }
}

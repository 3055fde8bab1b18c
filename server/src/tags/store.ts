import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type Tag, TagInput, TagQuery, type TagRef } from '@mokuroku/contract/tags'
import { fieldError } from '@mokuroku/contract/faults'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { recountTag } from '#ledger/counters.ts'
import { inList } from '#database/inList.ts'
import { db, advisoryLock, type Transaction } from '#database/db.ts'
import { statement } from '#database/statement.ts'
import { invalid } from '#lib/errors.ts'
import { orderByIds } from '#lib/orderByIds.ts'
import type { Row } from '#ledger/definition.ts'
import { embeddedRows, shareOf, shortenedTexts } from '#ledger/embedded.ts'
import { ledger } from '#ledger/ledger.ts'
import { pagesBySize } from '#ledger/pages.ts'
import type { TagFields, Tables } from '#database/tables.ts'
import { titled } from '#ledger/texts.ts'
import { lists } from '#store/lists'

export const tags = {
  ...ledger<TagFields>({
    kind: 'Tag',
    fields: Object.keys(TagInput.shape),
    empty: { icon: null, parentTag: null, status: 'ACTIVE', color: '#000000' },
    links: { parentTag: 'Tag' },
    listQuery: TagQuery,
    ...titled('Tag'),
    hits: async (ids) => {
      const found = await refs(ids)
      return ids.flatMap((id) => found.get(id) ?? []).map((tag) => ({ ...tag, cover: '' as const }))
    },
    settle: settleParent,
    derive: async (tx, id, before, after) => {
      if (after?.parentTag) await assertNoCycle(tx, id, after.parentTag)
      await recountTag(tx, id, before?.type, after?.type)
    },
  }),

  /** A page of the list, and the total, which comes from a counter if nothing is filtered. */
  list: async (query: z.output<typeof TagQuery>) => {
    const { ids, total } = await lists.page('Tag', query)
    return { answer: { tags: await byIds(ids), total }, total }
  },

  find: async (id: string, written?: Row<TagFields>): Promise<Tag | undefined> =>
    written ? shown(written as Tables['tags']) : (await byIds([id]))[0],

  refs,
  byIds,

  /** Tags as shown within another answer, by id; `ids` has an id as often as the tag is shown. */
  embedded: async (ids: string[]): Promise<Map<string, Tag>> => {
    const rows = await embeddedRows('Tag', ids)
    return new Map(([...rows.values()] as unknown as Tables['tags'][]).map((row) => [row._id, shown(row)]))
  },
}

/**
 * The existing ones of the given tags, by id, as shown on tagged entities; `ids` has an id as often as the tag is shown.
 * Of tags that are too large for that (ledger/embedded.ts), only names.
 */
async function refs(ids: string[]): Promise<Map<string, TagRef>> {
  if (ids.length === 0) return new Map()
  const share = shareOf(ids.length)
  const rows = await shownTags(db, [...new Set(ids)], share)
  const large = rows.flatMap(({ _id, translations }) => (translations === null ? _id : []))
  const textsOf = await shortenedTextsOf(large, share)
  return new Map(rows.map((row) => [row._id, { ...row, translations: row.translations ?? textsOf.get(row._id) ?? {} }]))
}

/** Without the texts of those that have more than `maxBytes`. */
const shownTags = statement((from, ids: string[], maxBytes: number) =>
  from
    .selectFrom('tags')
    .select([
      '_id',
      'type',
      'color',
      sql<
        TagFields['translations'] | null
      >`CASE WHEN octet_length("translations") <= ${maxBytes} THEN "translations" END`.as('translations'),
    ])
    .where(inList('_id', ids))
    .where('deletedAt', 'is', null),
)

async function shortenedTextsOf(ids: string[], share: number): Promise<Map<string, TagFields['translations']>> {
  const texts = new Map<string, TagFields['translations']>()
  for (const page of await pagesBySize(db, 'Tag', ids)) {
    const rows = await db.selectFrom('tags').select(['_id', 'translations']).where(inList('_id', page)).execute()
    for (const { _id, translations } of rows) texts.set(_id, shortenedTexts('Tag', translations, share))
    await yieldToEventLoop()
  }
  return texts
}

/** Tags in the order of the ids; those in the trash are left out. */
async function byIds(ids: string[]): Promise<Tag[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('tags')
    .selectAll()
    .where(inList('_id', ids))
    .where('deletedAt', 'is', null)
    .execute()
  return orderByIds(ids, rows.map(shown))
}

const shown = (row: Tables['tags']): Tag => ({ ...row, createdBy: row.createdBy ?? undefined })

/** Throws if a tag would become its own ancestor. */
async function assertNoCycle(tx: Transaction, id: string, parent: string): Promise<void> {
  // Serialized, since two changes that are valid on their own could form a cycle together.
  await advisoryLock(tx, 'parents of tags')
  if ((await ancestry(tx, parent)).includes(id)) invalid([fieldError('parentTag', 'ownParent')])
}

/**
 * The parent of a tag that another is merged into: none if none was picked, otherwise the first candidate that is not
 * below one of the two.
 */
async function settleParent(
  tx: Transaction,
  fields: TagFields,
  one: { id: string; fields: TagFields; from: { id: string; fields: TagFields } },
): Promise<TagFields> {
  if (!fields.parentTag) return fields
  for (const parentTag of [fields.parentTag, one.fields.parentTag, one.from.fields.parentTag])
    if (parentTag && !(await ancestry(tx, parentTag)).some((id) => id === one.id || id === one.from.id))
      return { ...fields, parentTag }
  return { ...fields, parentTag: null }
}

/** A tag and all its ancestors. */
async function ancestry(tx: Transaction, id: string): Promise<string[]> {
  const found = new Set<string>()
  for (let at: string | null = id; at && !found.has(at);) {
    found.add(at)
    const row: { parentTag: string | null } | undefined = await tx
      .selectFrom('tags')
      .select('parentTag')
      .where('_id', '=', at)
      .executeTakeFirst()
    at = row?.parentTag ?? null
  }
  return [...found]
}

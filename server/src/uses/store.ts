import type { Uses } from '@mokuroku/contract/uses'
import { db } from '#lib/db.ts'
import { titleOf } from '#lib/texts.ts'

/** How many of the users of an entity are named. */
const NAMED = 10
/** Above this, the count of one field says "at least": it is not worth more to a reader. */
const MOST = 10_000

/** The kinds that point at others, with what names them. */
const NAMES = {
  Media: { table: 'media', field: 'title', original: 'originalTitle' },
  Character: { table: 'characters', field: 'name', original: 'originalName' },
} as const

/** Where an entity is used, read from the links alone. */
export async function usesOf(id: string): Promise<Uses> {
  const links = db.selectFrom('links').select(['fromKind', 'field', 'fromId']).where('toId', '=', id).limit(MOST)
  const by = await db
    .selectFrom(links.as('links'))
    .select(({ fn }) => ['fromKind as entityType', 'field', fn.countAll<number>().as('count')])
    .groupBy(['fromKind', 'field'])
    .orderBy('fromKind')
    .orderBy('field')
    .execute()
  return {
    total: by.reduce((sum, { count }) => sum + count, 0),
    by,
    first: await namesOf(await links.limit(NAMED).execute()),
  }
}

/** The first use of each of some entities, by its id: a media rather than a character. */
export async function firstUses(ids: string[]): Promise<Map<string, Uses['first'][number]>> {
  if (ids.length === 0) return new Map()
  const links = await db
    .selectFrom('links')
    .select(({ fn }) => ['toId', 'fromKind', fn.min<string>('fromId').as('fromId')])
    .where('toId', 'in', ids)
    .where('fromKind', 'in', ['Media', 'Character'])
    .groupBy(['toId', 'fromKind'])
    .orderBy('fromKind')
    .execute()
  // Those of media come last, and stay.
  const firstOf = new Map(links.map(({ toId, fromId }) => [toId, fromId]))
  const named = new Map((await namesOf(links)).map((use) => [use.entityId, use]))
  return new Map(
    [...firstOf].flatMap(([id, from]) => {
      const use = named.get(from)
      return use ? [[id, use] as const] : []
    }),
  )
}

async function namesOf(links: { fromKind: string; fromId: string }[]): Promise<Uses['first']> {
  const found = await Promise.all(
    (['Media', 'Character'] as const).map(async (entityType) => {
      const ids = links.filter(({ fromKind }) => fromKind === entityType).map(({ fromId }) => fromId)
      if (ids.length === 0) return []
      const { table, field, original } = NAMES[entityType]
      const rows = await db.selectFrom(table).selectAll().where('_id', 'in', ids).execute()
      return rows.map((row) => ({
        entityType,
        entityId: row._id,
        title: titleOf(
          row.translations as Record<string, Record<string, string>>,
          field,
          (row as Record<string, unknown>)[original] as string,
        ),
      }))
    }),
  )
  return found.flat()
}

import { isTranslated, KINDS } from '@mokuroku/contract/kinds'
import { db } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { perKind, statement } from '#database/statement.ts'
import { TABLES } from '#database/tables.ts'
import { presentIds } from './links.ts'
import { type Titles, titlesOf } from './texts.ts'

export type Names = Pick<Titles, 'translations'>

/** Of some entities those that are not in the trash, by id: their current names by language, if their kind has texts. */
export async function presentNames(entities: { entityType: string; entityId: string }[]): Promise<Map<string, Names>> {
  const found = await Promise.all(
    KINDS.map(async (kind) => {
      const ids = [...new Set(entities.filter(({ entityType }) => entityType === kind).map(({ entityId }) => entityId))]
      if (ids.length === 0) return []
      if (!isTranslated(kind)) return (await presentIds(kind, ids)).map((id): [string, Names] => [id, {}])
      const rows = await textsOf[kind](db, ids)
      return rows.map((row): [string, Names] => [row._id, { translations: titlesOf(kind, row).translations }])
    }),
  )
  return new Map(found.flat())
}

const textsOf = perKind((kind) =>
  statement((from, ids: string[]) =>
    from
      .selectFrom(TABLES[kind] as 'media')
      .select(['_id', 'translations'])
      .where(inList('_id', ids))
      .where('deletedAt', 'is', null),
  ),
)

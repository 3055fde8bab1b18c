import { type Kind, kindOf } from '@mokuroku/contract/kinds'
import { sql } from 'kysely'
import { inList } from '#database/inList.ts'
import type { Executor } from '#database/statement.ts'
import { TABLES } from '#database/tables.ts'

/** Maximum size of the texts of rows that are read at a time, unless a single one has more. */
export const MAX_PAGE_BYTES = 4_000_000

/** Splits ids of entities, in their order, into pages that can be read at a time. The sizes are known without reading. */
export async function pagesBySize(from: Executor, kind: Kind, ids: string[]): Promise<string[][]> {
  const sizes = await textBytes(from, kind, ids)
  return splitBySize(ids.map((id) => ({ id, bytes: sizes.get(id) ?? 0 })))
}

/** The sizes of the texts of entities, by id; kinds without texts have none. */
export async function textBytes(from: Executor, kind: Kind, ids: string[]): Promise<Map<string, number>> {
  const { texts } = kindOf(kind)
  if (!texts || ids.length === 0) return new Map()
  const columns = ['translations', texts.aliases ?? [], texts.readings ?? []].flat()
  const bytes = sql.join(
    columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`),
    sql` + `,
  )
  const rows = await from
    .selectFrom(TABLES[kind])
    .select(['_id', sql<number>`${bytes}`.as('bytes')])
    .where(inList('_id', ids))
    .execute()
  return new Map(rows.map((row) => [row._id, row.bytes]))
}

/** Splits ids, in their order, into pages of at most `maxRows` rows that can be read at a time, or have `maxBytes`. */
export function splitBySize<Id>(
  rows: { id: Id; bytes: number }[],
  maxBytes = MAX_PAGE_BYTES,
  maxRows = Infinity,
): Id[][] {
  const pages: Id[][] = []
  let sum = Infinity
  for (const { id, bytes } of rows) {
    sum += bytes
    if (sum > maxBytes || pages.at(-1)?.length === maxRows) {
      pages.push([])
      sum = bytes
    }
    pages.at(-1)?.push(id)
  }
  return pages
}

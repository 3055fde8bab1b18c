// The filters of lists as conditions on rows, and as queries for ids if an index supports them.
import { canonical } from '@mokuroku/contract/languageTags'
import { kindOf, type Translated } from '@mokuroku/contract/kinds'
import { GENERAL_FILTERS, PAGING, type TAGS_MODES } from '@mokuroku/contract/lists'
import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { engine } from '#database/db.ts'
import type { Filter } from '#database/intersection.ts'
import { TABLES } from '#database/tables.ts'

/** The parsed query of a list. Parameters not named here are columns that must be equal. */
export interface ListQuery {
  limit: number
  /** 1-based; lists with `skip` use the number of rows before the page instead. */
  page?: number
  skip?: number
  sort?: string | undefined
  search?: string | undefined
  userId?: string | undefined
  finding?: string | undefined
  language?: string | undefined
  missing?: string | undefined
  createdBy?: string | undefined
  updatedSince?: string | undefined
  tags?: string | undefined
  tagsMode?: (typeof TAGS_MODES)[number] | undefined
  hasCover?: boolean | undefined
  from?: string | undefined
  to?: string | undefined
  ratingMin?: number | undefined
}

/** Parameters that are not columns that must be equal. */
export const NO_COLUMNS = new Set([...GENERAL_FILTERS, ...PAGING])

export const tagIdsOf = ({ tags = '' }: Pick<ListQuery, 'tags'>): string[] => tags.split(',').filter(Boolean)

/** What stored data says about the filters of a query. */
export interface Known {
  /**
   * Whether the stored findings include every entity without a title in the language `missing`, except dismissed ones.
   */
  isChecked?: boolean
  /** The one language that `finding` is about, or '' for none; undefined if there may be several. */
  foundIn?: string | undefined
}

/** All filters of a query. */
export function filtersOf(kind: Translated, query: ListQuery, { isChecked = false, foundIn }: Known = {}): Filter[] {
  const { finding, language, missing, createdBy, updatedSince, tagsMode = 'any', hasCover, ratingMin } = query
  const own = sql.ref(`${TABLES[kind]}._id`)
  /** Rows of another table belong to the entity and meet `condition`. */
  const has = (table: string, id: string, kindColumn: string, condition: RawBuilder<SqlBool>): Filter => ({
    where: sql`EXISTS (SELECT 1 FROM ${sql.table(table)} "its" WHERE "its".${sql.ref(id)} = ${own} AND ${condition})`,
    ids: sql`SELECT ${sql.ref(id)} AS "id" FROM ${sql.table(table)} "its" WHERE ${sql.ref(kindColumn)} = ${kind} AND ${condition}`,
  })
  /** A condition on columns of the entity that an index starts with. */
  const row = (condition: RawBuilder<SqlBool>): Filter => ({
    where: condition,
    ids: sql`SELECT "_id" AS "id" FROM ${sql.table(TABLES[kind])} WHERE ${condition} AND "deletedAt" IS NULL`,
  })
  const not = ({ where }: Filter): Filter => ({ where: sql`NOT ${where}` })
  const labelled = (tag: string, also = sql``) =>
    has('labels', 'entityId', 'kind', sql`${inFamily('language', tag)}${also}`)
  const tagged = (ids: string[]) => ({
    ...has('links', 'fromId', 'fromKind', sql`"its"."field" = 'tags' AND "its"."toId" IN (${sql.join(ids)})`),
    isOrdered: ids.length === 1,
  })
  const found = (asked: string) => {
    const [code, about] = asked.split(':')
    const isCode = sql<SqlBool>`"its"."code" = ${code}`
    const isMeant =
      foundIn !== undefined
        ? sql<SqlBool>`${isCode} AND "its"."language" = ${foundIn}`
        : about
          ? sql<SqlBool>`${isCode} AND ${inFamily('language', about)}`
          : isCode
    return { ...has('findings', 'entityId', 'entityType', isMeant), isOrdered: foundIn !== undefined }
  }
  const tagIds = tagIdsOf(query)
  return [
    ...(finding ? [found(finding)] : []),
    ...(language ? [labelled(language)] : []),
    ...(missing
      ? [
          {
            ...not(labelled(missing, labelsOf(kind))),
            ...(isChecked && { ids: lacking(kind, missing), isLoose: true }),
          },
        ]
      : []),
    ...(tagIds.length === 0 ? [] : taggedBy(tagsMode, tagIds, tagged, not)),
    ...(createdBy ? [{ ...row(sql`"createdBy" = ${createdBy}`), isOrdered: true }] : []),
    ...(updatedSince ? [row(sql`"updatedAt" >= ${updatedSince}`)] : []),
    ...(hasCover === undefined ? [] : [{ ...row(hasCover ? sql`"cover" <> ''` : sql`"cover" = ''`), isOrdered: true }]),
    ...(ratingMin === undefined ? [] : [row(sql`"averageRating" >= ${ratingMin} AND "ratingCount" > 0`)]),
    ...dayFiltersOf(kind, query).map(row),
    ...columnsOf(kind, query).map(([column, value]) => ({
      where: sql<SqlBool>`${sql.ref(column)} = ${typeof value === 'boolean' ? Number(value) : value}`,
    })),
  ]
}

/**
 * PostgreSQL has statistics of how frequent a language is, and uses the index on kind and language only for rare ones.
 * SQLite would also use it for frequent ones.
 */
const labelsOf = (kind: Translated): RawBuilder<unknown> =>
  engine === 'postgres' ? sql` AND "its"."kind" = ${kind}` : sql``

/** Entities without a title in a wanted language according to the findings, and those where that was ever dismissed. */
function lacking(kind: Translated, language: string): RawBuilder<{ id: string }> {
  const withoutTitleIn = (table: string) =>
    sql`SELECT "entityId" AS "id" FROM ${sql.table(table)} "its"
      WHERE "entityType" = ${kind} AND "code" = 'missing' AND "language" = ${canonical(language) ?? language}`
  return sql`${withoutTitleIn('findings')} UNION ALL ${withoutTitleIn('dismissals')}`
}

function taggedBy(
  mode: (typeof TAGS_MODES)[number],
  ids: string[],
  tagged: (ids: string[]) => Filter,
  not: (filter: Filter) => Filter,
): Filter[] {
  if (mode === 'all') return ids.map((id) => tagged([id]))
  return [mode === 'none' ? not(tagged(ids)) : tagged(ids)]
}

/**
 * Both days are included. Timestamps sort like their texts, and hour 24 comes after all of a day; the day after
 * 9999-12-31 would not.
 */
function dayFiltersOf(kind: Translated, { from, to }: ListQuery): RawBuilder<SqlBool>[] {
  const { dateField } = kindOf(kind)
  if (!dateField) return []
  return [
    ...(from ? [sql<SqlBool>`${sql.ref(dateField)} >= ${from}`] : []),
    ...(to ? [sql<SqlBool>`${sql.ref(dateField)} < ${`${to}T24`}`] : []),
  ]
}

/** The columns that must equal a value. A kind may map the name of a filter to another column. */
function columnsOf(kind: Translated, query: ListQuery): [string, string | boolean][] {
  const { filters = {} } = kindOf(kind)
  return Object.entries(query as unknown as Record<string, string | boolean | undefined>).flatMap(([name, value]) =>
    value === undefined || NO_COLUMNS.has(name) ? [] : [[filters[name] ?? name, value]],
  )
}

/** A language, or any language of its family: `zh` includes `zh-Hans`. It is a single range of an index. */
function inFamily(column: string, language: string): RawBuilder<SqlBool> {
  const tag = canonical(language) ?? language
  const its = sql.ref(`its.${column}`)
  // The hyphen is the character right before the full stop.
  return sql`(${its} >= ${tag} AND ${its} < ${`${tag}.`} AND (${its} = ${tag} OR ${its} >= ${`${tag}-`}))`
}

import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { engine } from './db.ts'
import { Placeholder } from './statement.ts'

/**
 * A condition that a column equals one of these texts. The list is one parameter, so that the statement has the same
 * text for lists of any length, and is parsed once. On PostgreSQL, the subquery hides the list from the planner:
 * otherwise it would make a plan for each list, which takes longer than to run it. A list of one becomes a plain
 * comparison.
 */
export function inList(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  if (texts.length === 1) return sql`${sql.ref(column)} = ${listed(texts, ([only]) => only)}`
  return engine === 'postgres'
    ? sql`${sql.ref(column)} = ANY((SELECT ${listed(texts, arrayOf)}::text[])::text[])`
    : sql`${sql.ref(column)} IN (SELECT "value" FROM json_each(${listed(texts, JSON.stringify)}))`
}

/** A query that returns these ids; the list is one parameter. */
export const idsFrom = (ids: readonly string[]): RawBuilder<{ id: string }> =>
  engine === 'postgres'
    ? sql`SELECT unnest(${arrayOf(ids)}::text[]) AS "id"`
    : sql`SELECT "value" AS "id" FROM json_each(${JSON.stringify(ids)})`

const listed = (texts: readonly string[], as: (texts: readonly string[]) => unknown): unknown =>
  texts instanceof Placeholder ? texts.as(as) : as(texts)

/** A list as the text of a PostgreSQL array. */
const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join()}}`

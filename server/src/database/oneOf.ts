import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { engine } from './db.ts'
import { Placeholder } from './statement.ts'

/**
 * Whether a column is one of some texts. They are one value of the statement, so that its text is the same however many
 * they are, and it is read once. PostgreSQL does not see them when it plans: it would make a plan for each list, which
 * takes longer than to answer. A list of one is that one text.
 */
export function oneOf(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  if (texts.length === 1) return sql`${sql.ref(column)} = ${listed(texts, ([only]) => only)}`
  return engine === 'postgres'
    ? sql`${sql.ref(column)} = ANY((SELECT ${listed(texts, arrayOf)}::text[])::text[])`
    : sql`${sql.ref(column)} IN (SELECT "value" FROM json_each(${listed(texts, JSON.stringify)}))`
}

/** A query for ids that are known; they are one value of the statement. */
export const idsListed = (ids: readonly string[]): RawBuilder<{ id: string }> =>
  engine === 'postgres'
    ? sql`SELECT unnest(${arrayOf(ids)}::text[]) AS "id"`
    : sql`SELECT "value" AS "id" FROM json_each(${JSON.stringify(ids)})`

const listed = (texts: readonly string[], as: (texts: readonly string[]) => unknown): unknown =>
  texts instanceof Placeholder ? texts.as(as) : as(texts)

/** A list as PostgreSQL writes it. */
const arrayOf = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join()}}`

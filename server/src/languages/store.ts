import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { type RawBuilder, sql } from 'kysely'
import { db } from '#database/db.ts'

/** So many languages of one source are named; whoever writes texts could make up any number of tags. */
const MAX_LANGUAGES = 200
/** Sorts after every language tag. */
const LAST = '~'

export const languages = {
  /** The languages of titles and names, of changes too, sorted. What is in the trash does not count. */
  inUse: async (): Promise<string[]> => {
    const found = await Promise.all([
      tagsBetween(sql`"history"`, sql`true`, '', LAST),
      ...TRANSLATED_KINDS.map((kind) => tagsBetween(sql`"labels"`, sql`"kind" = ${kind}`, '', LAST)),
    ])
    return [...new Set(found.flat())].toSorted()
  },

  /** The tags of a family (`zh` and what begins with `zh-`) in the translation history, sorted. */
  inHistory: (family: string): Promise<string[]> =>
    // A hyphen alone comes before the full stop of what a tag is made of.
    tagsBetween(sql`"history"`, sql`true`, family, `${family}.`),
}

/**
 * The languages of a table from `from` on and before `end`, but for ''. Each is found from the one before it with one
 * look into an index that leads with the language, whatever the number of rows.
 */
async function tagsBetween(
  table: RawBuilder<unknown>,
  where: RawBuilder<unknown>,
  from: string,
  end: string,
): Promise<string[]> {
  const { rows } = await sql<{ tag: string }>`
    WITH RECURSIVE "tags" ("tag") AS (
      SELECT (SELECT min("language") FROM ${table} WHERE ${where} AND "language" >= ${from || '0'})
      UNION ALL
      SELECT (SELECT min("language") FROM ${table} WHERE ${where} AND "language" > "tags"."tag")
      FROM "tags" WHERE "tags"."tag" < ${end}
    )
    SELECT "tag" FROM "tags" WHERE "tag" < ${end} LIMIT ${MAX_LANGUAGES}`.execute(db)
  return rows.map(({ tag }) => tag)
}

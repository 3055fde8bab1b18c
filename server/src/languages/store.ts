import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { type LanguageRow } from '@mokuroku/contract/languages'
import { primaryLanguage } from '@mokuroku/contract/languageTags'
import type { Document } from '@mokuroku/contract/merge'
import { newSettings, SETTINGS_ID } from '@mokuroku/contract/settings'
import { type RawBuilder, sql } from 'kysely'
import { db, type Reader } from '#database/db.ts'
import { idsFrom } from '#database/inList.ts'
import { TABLES } from '#database/tables.ts'
import { countersBeginning, countersOf, totalCounter } from '#ledger/counters.ts'
import type { Row } from '#ledger/definition.ts'
import { filledCounter } from '#ledger/filled.ts'

/** Maximum number of unwanted languages listed, and read from each source: users can make up any number of tags. */
const MAX_LANGUAGES = 200
/** Sorts after every language tag. */
const LAST = '~'

export const languages = {
  /**
   * The wanted languages, then the others in use, sorted, each with how much of the catalogue has a title or name in it.
   * Of too many others, those with the most titles and names.
   */
  list: async (): Promise<LanguageRow[]> => {
    const [wanted, used] = await Promise.all([wantedLanguages(db), languages.inUse()])
    const tags = [...new Set([...wanted, ...used])]
    const names = TRANSLATED_KINDS.flatMap((kind) => [
      totalCounter(kind),
      ...tags.map((tag) => filledCounter(kind, tag)),
    ])
    const kept = await countersOf(db, names)
    const shares = (tag: string) =>
      TRANSLATED_KINDS.map((kind) => {
        const [filled, of] = [kept[filledCounter(kind, tag)] ?? 0, kept[totalCounter(kind)] ?? 0]
        return [kind, { filled, of }]
      })
    const rows = tags.map((tag) => ({
      tag,
      name: englishName(tag),
      family: primaryLanguage(tag),
      wanted: wanted.includes(tag),
      ...(Object.fromEntries(shares(tag)) as Pick<LanguageRow, Translated>),
    }))
    const others = rows
      .filter((row) => !row.wanted)
      .toSorted((one, other) => filledOf(other) - filledOf(one))
      .slice(0, MAX_LANGUAGES)
    return [...rows.filter((row) => row.wanted), ...others.toSorted((one, other) => (one.tag < other.tag ? -1 : 1))]
  },

  /**
   * The languages of titles, names and changes, sorted. Entities in the trash do not count. Of very many, those with the
   * most titles or names, and the first of the others.
   */
  inUse: async (): Promise<string[]> => {
    const found = await Promise.all([
      ...TRANSLATED_KINDS.map((kind) => mostFilled(kind)),
      ...TRANSLATED_KINDS.map((kind) => changedIn(kind, '', LAST)),
      ...TRANSLATED_KINDS.map((kind) => tagsBetween(sql`"labels"`, sql`"kind" = ${kind}`, '', LAST)),
    ])
    return [...new Set(found.flat())].toSorted()
  },

  /**
   * Of the next `limit` rows after a cursor, in the order of their ids, those outside the trash with texts under exactly
   * this tag. `next`: the cursor of the rows after them; undefined if there are none.
   */
  having: async (
    kind: Translated,
    tag: string,
    cursor: string,
    limit: number,
  ): Promise<{ rows: Row<Document>[]; next: string | undefined }> => {
    const after = db.selectFrom(TABLES[kind]).where('_id', '>', cursor).orderBy('_id')
    const next = (
      await after
        .select('_id')
        .limit(1)
        .offset(limit - 1)
        .executeTakeFirst()
    )?._id
    const rows = await after
      .selectAll()
      .$if(next !== undefined, (query) => query.where('_id', '<=', next ?? ''))
      .where('deletedAt', 'is', null)
      // Tags consist of letters, digits and hyphens, so they contain no wildcards.
      .where('translations', 'like', `%"${tag}":{%` as never)
      .execute()
    return { rows, next }
  },

  /** The tags of a family (`zh` and those that begin with `zh-`) in the translation history, sorted. */
  inHistory: async (family: string): Promise<string[]> => {
    // Of the characters in tags, only the hyphen sorts before the full stop.
    const found = await Promise.all(TRANSLATED_KINDS.map((kind) => changedIn(kind, family, `${family}.`)))
    return [...new Set(found.flat())].toSorted()
  },
}

const filledOf = (row: LanguageRow): number => TRANSLATED_KINDS.reduce((sum, kind) => sum + row[kind].filled, 0)

/** The languages in which most entities of a kind have a title or name. */
async function mostFilled(kind: Translated): Promise<string[]> {
  const prefix = filledCounter(kind, '')
  const counters = await countersBeginning(prefix, MAX_LANGUAGES)
  const tags = counters.map(({ name }) => name.slice(prefix.length))
  // A broader language is counted with its narrower ones, also if it has no texts itself. Not EXISTS, which PostgreSQL
  // may turn into a scan of all labels.
  const { rows } = await sql<{ tag: string }>`
    SELECT "id" AS "tag" FROM (${idsFrom(tags)}) AS "given"
    WHERE (SELECT 1 FROM "labels" WHERE "kind" = ${kind} AND "language" = "given"."id" LIMIT 1) IS NOT NULL`.execute(db)
  return rows.map(({ tag }) => tag)
}

/** The languages in which texts of a kind were changed. */
const changedIn = (kind: Translated, from: string, end: string): Promise<string[]> =>
  tagsBetween(sql`"history"`, sql`"entityType" = ${kind}`, from, end)

/** The wanted languages, in the order of the settings. */
async function wantedLanguages(tx: Reader): Promise<string[]> {
  const row = await tx.selectFrom('settings').select('languages').where('_id', '=', SETTINGS_ID).executeTakeFirst()
  return (row ?? newSettings()).languages
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' })

/** The English name of a language; its tag if it has none. */
function englishName(tag: string): string {
  try {
    return NAMES.of(tag) ?? tag
  } catch {
    return tag
  }
}

/**
 * The distinct languages of a table from `from` (inclusive) to `end` (exclusive), without ''. A loose index scan: each
 * one is found from the previous one with a single lookup in an index by language, whatever the number of rows.
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

import type { Kind } from '@mokuroku/contract/kinds'
import { type RawBuilder, sql } from 'kysely'
import { engine, send, type Transaction } from '#database/db.ts'
import { type Filter, intersectionIds } from '#database/intersection.ts'
import { inList } from '#database/inList.ts'
import { type Executor, statement } from '#database/statement.ts'
import { enqueue } from '#jobs/queue.ts'
import type { Label } from '#ledger/definition.ts'
import { splitBySize } from '#ledger/pages.ts'
import { indexWith } from '#ledger/record.ts'
import { newId } from '#lib/ids.ts'
import { turns } from '#lib/turns.ts'
import { changedLabels, indexTokens, keyOf, type NewLabel, rowsOf } from './entries.ts'
import { find } from './find.ts'
import { tsVector } from './grams.ts'
import { equalToAny, matchFilter } from './labelStore.ts'
import { isLargeIndex } from './largeIndex.ts'
import type { Candidate } from './rank.ts'
import { READINGS } from './progress.ts'
import { lacksReadings, MAX_CHARS_AT_ONCE, type ReadLabel, withReadings } from './readings.ts'
import { holding, rankAmong, spellings } from './texts.ts'

/** Maximum number of matches that are ranked for a list. */
const MAX_MATCHES = 1000
/** Maximum number of matches beyond the ranked ones that `ids` returns. */
const MAX_LISTED = 20_000
/**
 * Maximum number of rows dropped by one statement. After a statement, FTS5 merges parts of its index, about 1 MB for each
 * 64 rows dropped: if they were a thousand, everybody would wait for seconds.
 */
const MAX_DROPPED = { postgres: 10_000, sqlite: 20 }

/** How much is inserted by one statement, if each row counts as much beside its text: others wait for it on SQLite. */
const [MAX_INSERTED_BYTES, ROW_BYTES] = [20_000, 20]

/** The best matches of a search, and the condition of all, if there may be more. */
export interface Matches {
  ids: string[]
  all: Filter | undefined
}

export const search = {
  find,

  /**
   * The ids of the matches for `q`, best first; with `language`, only its labels count. Of more than can be ranked, the
   * others that meet `filters` follow in the order of ids, up to `limit`.
   */
  ids: async (
    kind: Kind,
    q: string,
    {
      language,
      filters = [],
      limit = MAX_LISTED,
    }: { language?: string | undefined; filters?: Filter[]; limit?: number } = {},
  ): Promise<string[]> => {
    const { matches, isCut } = await find(kind, q, MAX_MATCHES, language)
    const best = matches.map(({ entityId }) => entityId)
    if (!isCut) return best
    const { ids } = matchFilter(kind, q, { language })
    const others = await intersectionIds(kind, { ids, rest: filters }, limit)
    return [...new Set([...best, ...others.toSorted()])]
  },

  /** The ids of the best matches for `q`; if there may be others, also the condition that all meet. */
  matches: async (kind: Kind, q: string): Promise<Matches> => {
    const { matches, isCut } = await find(kind, q, MAX_MATCHES)
    const all = isCut ? matchFilter(kind, q, { isLarge: await isLargeIndex() }) : undefined
    return { ids: matches.map(({ entityId }) => entityId), all }
  },

  spellings,
  among: rankAmong,
  holding,

  /** Entities whose whole title or name in any language is one of `names`: the labels found, by name. */
  named: async (tx: Executor, kind: Kind, names: string[]): Promise<Map<string, Candidate[]>> => {
    const spellingsOf = new Map(names.map((name) => [name, spellings(name)]))
    const all = [...new Set([...spellingsOf.values()].flat())]
    if (all.length === 0) return new Map()
    const rows = await equalToAny(tx, kind, all)
    return new Map([...spellingsOf].map(([name, forms]) => [name, rows.filter((row) => forms.includes(row.compact))]))
  },

  /**
   * Updates the labels of an entity from `before` to `labels`: replaces those of the languages that change, or, if others
   * may have to change with them, writes only the differences.
   */
  index: async (tx: Transaction, kind: Kind, entityId: string, before: Label[], labels: Label[]): Promise<void> => {
    const changed = changedLabels(before, labels)
    const read = await withReadings(changed?.labels ?? labels, MAX_CHARS_AT_ONCE)
    const rows = await rowsOf(kind, entityId, read)
    // The labels of a language mostly change together, and are replaced without being read.
    if (changed) dropLanguages(tx, entityId, changed.languages)
    await insert(tx, changed ? rows : await onlyChanges(tx, entityId, rows))
    if (lacksReadings(read)) await readLater(tx, kind, [entityId])
  },

  /** Like `index`, for entities without labels. */
  add: async (
    tx: Transaction,
    kind: Kind,
    entities: { id: string; labels: Label[] }[],
    maxChars = MAX_CHARS_AT_ONCE,
  ): Promise<void> => {
    const all = entities.flatMap(({ id, labels }) => labels.map((label) => ({ id, ...label })))
    const withIds = (await withReadings(all, maxChars)) as (ReadLabel & { id: string })[]
    const read = [...Map.groupBy(withIds, ({ id }) => id)]
    const rows: NewLabel[] = []
    for (const [id, each] of read) rows.push(...(await rowsOf(kind, id, each)))
    await insert(tx, rows)
    const unread = read.filter(([, labels]) => lacksReadings(labels)).map(([id]) => id)
    if (unread.length > 0) await readLater(tx, kind, unread)
  },

  /** Like `index`, if the stored labels may not be as they were written: replaces all of them. */
  reindex: async (tx: Transaction, kind: Kind, entityId: string, labels: Label[]): Promise<void> => {
    const stored = await tx.selectFrom('labels').select('id').where('entityId', '=', entityId).execute()
    drop(
      tx,
      stored.map(({ id }) => id),
    )
    await insert(tx, await rowsOf(kind, entityId, await withReadings(labels)))
  },

  /** Removes rows from the index. */
  drop,
}

indexWith(search)

/** Adds the readings of entities in the background (rebuild.ts). */
const readLater = (tx: Transaction, kind: Kind, ids: string[]): Promise<void> =>
  enqueue(tx, { id: newId(), kind: READINGS, payload: { kind, ids } })

const labelsOf = statement((from, entityId: string) =>
  from
    .selectFrom('labels')
    .select(['id', 'kind', 'entityId', 'language', 'text', 'compact'])
    .where('entityId', '=', entityId),
)

/** Drops the labels of an entity that are not in `rows`. Returns the rows that are not stored. */
async function onlyChanges(tx: Transaction, entityId: string, rows: NewLabel[]): Promise<NewLabel[]> {
  const added = new Map(rows.map((row) => [keyOf(row), row]))
  const dropped = (await labelsOf(tx, entityId)).filter((row) => !added.delete(keyOf(row)))
  drop(
    tx,
    dropped.map(({ id }) => id),
  )
  return [...added.values()]
}

async function insert(tx: Transaction, rows: NewLabel[]): Promise<void> {
  const turn = turns()
  const sizes = rows.map((row) => ({ id: row, bytes: ROW_BYTES + row.compact.length }))
  for (const some of splitBySize(sizes, MAX_INSERTED_BYTES)) {
    await turn()
    await insertSome(tx, some)
  }
}

async function insertSome(tx: Transaction, rows: NewLabel[]): Promise<void> {
  if (engine === 'postgres') {
    const values = rows.map((row) => ({ ...row, grams: sql`${tsVector(indexTokens(row))}::tsvector` }))
    send(tx, tx.insertInto('labels').values(values))
    return
  }
  const stored = await tx.insertInto('labels').values(rows).returningAll().execute()
  const values = stored.map((row) => sql`(${row.id}, ${indexTokens(row).join(' ')})`)
  await sql`INSERT INTO "labelGrams" ("rowid", "grams") VALUES ${sql.join(values)}`.execute(tx)
}

/** Drops the labels of an entity in some languages. */
function dropLanguages(tx: Transaction, entityId: string, languages: string[]): void {
  const labels = sql`FROM "labels" WHERE "entityId" = ${entityId} AND ${inList('language', languages)}`
  if (engine === 'sqlite') sendRaw(tx, sql`DELETE FROM "labelGrams" WHERE "rowid" IN (SELECT "id" ${labels})`)
  sendRaw(tx, sql`DELETE ${labels}`)
}

function drop(tx: Transaction, ids: number[]): void {
  const size = MAX_DROPPED[engine]
  for (let at = 0; at < ids.length; at += size) dropSome(tx, ids.slice(at, at + size))
}

function dropSome(tx: Transaction, ids: number[]): void {
  send(tx, tx.deleteFrom('labels').where('id', 'in', ids))
  if (engine === 'sqlite') sendRaw(tx, sql`DELETE FROM "labelGrams" WHERE "rowid" IN (${sql.join(ids)})`)
}

const sendRaw = (tx: Transaction, text: RawBuilder<unknown>): void => send(tx, { execute: () => text.execute(tx) })

import { type Kysely, sql } from 'kysely'
import { atOneMoment } from '#lib/copies.ts'
import { db, engine, transaction } from '#lib/db.ts'
import { keeperOf } from '#lib/keepers.ts'
import { type Kind, TABLES, type Tables } from '#lib/tables.ts'
import { search } from '#store/search'
import { keyOf, rowsOf, tokensOf } from '../../search/entries.ts'
import { tsVector } from '../../search/grams.ts'
import { type Check, everyEntity, type Fault, idsOf, KINDS, tracesNow } from './check.ts'

/** So many rows that belong to nothing are read at a time. */
const MOST = 1000

type Label = Omit<Tables['labels'], 'id'> & { id: number }

/** Every text by which something is found is in the index, and nothing else is. */
export const searchText: Check = {
  name: 'search text',
  look: async function* look() {
    const state = db.selectFrom('counters').select('value').where('name', '=', 'searchVersion')
    if ((await state.executeTakeFirst())?.value === 0) {
      yield { what: 'the index is being rebuilt, or was not to its end', repair: () => search.rebuild() }
      return
    }
    yield* leftGrams()
    yield* everyEntity(async (tx, kind, rows) => {
      const stored = await tx.selectFrom('labels').selectAll().where('entityId', 'in', idsOf(rows)).execute()
      const by = Map.groupBy(stored, ({ entityId }) => entityId)
      const unfound = await unfoundOf(tx, stored)
      return rows.flatMap((row): Fault[] => {
        const is = (by.get(row._id) ?? []).map(keyOf)
        const should = rowsOf(kind, row._id, keeperOf(kind).traces(row).labels).map(keyOf)
        const isSame = is.length === should.length && should.every((key) => is.includes(key))
        if (isSame && !unfound.has(row._id)) return []
        const says = isSame ? 'a text of it is not found' : 'the index holds other texts than it has'
        return [{ what: `${kind} ${row._id}: ${says}`, repair: () => reindex(kind, row._id) }]
      })
    })
    yield* leftovers()
  },
}

const reindex = (kind: Kind, id: string): Promise<void> =>
  transaction(async (tx) => {
    const traces = await tracesNow(tx, kind, id)
    await search.reindex(tx, kind, id, traces?.labels ?? [])
  })

/** The entities of labels that their own grams do not find. */
async function unfoundOf(tx: Kysely<Tables>, labels: Label[]): Promise<Set<string>> {
  const ids = new Set(await (engine === 'postgres' ? unfoundInPostgres(tx, labels) : unfoundInSqlite(tx, labels)))
  return new Set(labels.filter(({ id }) => ids.has(id)).map(({ entityId }) => entityId))
}

async function unfoundInPostgres(tx: Kysely<Tables>, labels: Label[]): Promise<number[]> {
  if (labels.length === 0) return []
  const values = labels.map((label) => sql`(${label.id}::bigint, ${tsVector(tokensOf(label))}::tsvector)`)
  const { rows } = await sql<{ id: number }>`SELECT "labels"."id" FROM "labels"
    JOIN (VALUES ${sql.join(values)}) AS "right" ("id", "grams") ON "right"."id" = "labels"."id"
    WHERE "labels"."grams" <> "right"."grams"`.execute(tx)
  return rows.map(({ id }) => id)
}

async function unfoundInSqlite(tx: Kysely<Tables>, labels: Label[]): Promise<number[]> {
  const unfound: number[] = []
  for (const label of labels) {
    const { rows } = await sql`SELECT 1 FROM "labelGrams"
      WHERE "labelGrams" MATCH ${`"${tokensOf(label).join(' ')}"`} AND "rowid" = ${label.id}`.execute(tx)
    if (rows.length === 0) unfound.push(label.id)
  }
  return unfound
}

/** Texts of what is not there. */
async function* leftovers(): AsyncGenerator<Fault> {
  for (const kind of KINDS) {
    const gone = await atOneMoment((tx) =>
      sql<{ id: string }>`SELECT DISTINCT "entityId" AS "id" FROM "labels" WHERE "kind" = ${kind}
        AND NOT EXISTS (SELECT 1 FROM ${sql.table(TABLES[kind])} WHERE "_id" = "labels"."entityId")
        LIMIT ${sql.lit(MOST)}`.execute(tx),
    )
    for (const { id } of gone.rows)
      yield { what: `${kind} ${id}: texts, but nothing that has them`, repair: () => reindex(kind, id) }
  }
}

/** Grams of texts that are not there: the number of such a text may be given again. */
async function* leftGrams(): AsyncGenerator<Fault> {
  if (engine === 'postgres') return
  const { rows } = await sql<{ id: number }>`SELECT "id" FROM "labelGrams_docsize"
    WHERE "id" NOT IN (SELECT "id" FROM "labels") LIMIT ${sql.lit(MOST)}`.execute(db)
  for (const { id } of rows)
    yield {
      what: `text ${id}: is in the index, but not there`,
      repair: () => sql`DELETE FROM "labelGrams" WHERE "rowid" = ${id}`.execute(db),
    }
}

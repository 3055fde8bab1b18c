import { sql } from 'kysely'
import { db, transaction } from '#database/db.ts'
import { footprintOf } from '#ledger/footprint.ts'
import { definitionOf } from '#ledger/registry.ts'
import { isUnfinished } from '#jobs/queue.ts'
import { type Kind, KINDS } from '@mokuroku/contract/kinds'
import { TABLES } from '#database/tables.ts'
import { REBUILD } from '../../search/progress.ts'
import { rebuildSearch, reindexEntity } from '../../search/rebuild.ts'
import { keyOf, rowsOf } from '../../search/entries.ts'
import { dictionaryLoaded, type ReadLabel, withReadings } from '../../search/readings.ts'
import { type Check, everyEntity, idsOf, type Issue, orphanedRows, truncationIssue } from './check.ts'
import { orphanedGrams, readGrams, missingFromIndex } from './grams.ts'

/** The search index contains exactly the texts that entities are found by. */
export const searchText: Check = {
  name: 'search text',
  run: async function* inspect() {
    const state = db.selectFrom('counters').select('value').where('name', '=', 'searchVersion')
    if ((await state.executeTakeFirst())?.value === 0) {
      yield {
        what: 'a rebuild of the index is running, or did not finish',
        repair: () => rebuildSearch(),
        isQueued: await isUnfinished(REBUILD),
      }
      return
    }
    yield* orphanedGrams()
    const dropTables = await readGrams()
    try {
      yield* wrongTexts()
    } finally {
      await dropTables()
    }
    yield* orphanedTexts()
  },
}

async function* wrongTexts(): AsyncGenerator<Issue> {
  await dictionaryLoaded()
  yield* everyEntity(async (tx, kind, rows) => {
    const stored = await tx.selectFrom('labels').selectAll().where('entityId', 'in', idsOf(rows)).execute()
    const storedFor = Map.groupBy(stored, ({ entityId }) => entityId)
    const unfound = await missingFromIndex(tx, stored)
    const labels = rows.flatMap((row) =>
      footprintOf(definitionOf(kind), row).labels.map((label) => ({ id: row._id, ...label })),
    )
    const read = Map.groupBy((await withReadings(labels)) as ((typeof labels)[number] & ReadLabel)[], ({ id }) => id)
    const issues: Issue[] = []
    for (const { _id: id } of rows) {
      const is = (storedFor.get(id) ?? []).map(keyOf)
      const should = (await rowsOf(kind, id, read.get(id) ?? [])).map(keyOf)
      const isSame = is.length === should.length && should.every((key) => is.includes(key))
      if (isSame && !unfound.has(id)) continue
      const problem = isSame ? 'a text is missing from the index' : 'its indexed texts are wrong'
      issues.push({ what: `${kind} ${id}: ${problem}`, repair: () => reindex(kind, id) })
    }
    return issues
  })
}

/** Texts of entities that do not exist. */
async function* orphanedTexts(): AsyncGenerator<Issue> {
  for (const kind of KINDS) {
    const orphaned = await orphanedRows(sql`SELECT DISTINCT "entityId" AS "id" FROM "labels" WHERE "kind" = ${kind}
      AND NOT EXISTS (SELECT 1 FROM ${sql.table(TABLES[kind])} WHERE "_id" = "labels"."entityId")`)
    for (const { id } of orphaned)
      yield { what: `${kind} ${id}: has indexed texts but does not exist`, repair: () => reindex(kind, id) }
    yield* truncationIssue(orphaned)
  }
}

const reindex = (kind: Kind, id: string): Promise<void> => transaction((tx) => reindexEntity(tx, kind, id))

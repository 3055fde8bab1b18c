import { isTranslated, TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { sql } from 'kysely'
import { transaction } from '#database/db.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { isUnfinished } from '#jobs/queue.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf, findRow } from '#ledger/rows.ts'
import { foundIn, keyOf, withoutDismissed } from '#ledger/findingRows.ts'
import { refreshFindings } from '#ledger/findings.ts'
import { checkProgress, rulesIn } from '#ledger/findingStore.ts'
import { relatedFindings } from '#ledger/relatedFindings.ts'
import { pairName, pairsAmong, storedPairs } from '#ledger/duplicatePairs.ts'
import { likelyOf, rowName, storedKeys, expectedKeys } from '#ledger/titleKeys.ts'
import { REBUILD, rebuildFindings } from '../../findings/rebuild.ts'
import { type Check, everyEntity, idsOf, type Inspect, type Issue, orphanedRows, truncationIssue } from './check.ts'

/** The stored findings are exactly those that the checks find. */
export const found: Check = {
  name: 'findings',
  run: async function* inspect() {
    const progress = await checkProgress()
    if (progress && progress.total > 0) {
      yield {
        what: 'a check of the catalogue is running, or did not finish',
        repair: () => rebuildFindings(new AbortController().signal),
        isQueued: await isUnfinished(REBUILD),
      }
      return
    }
    yield* everyEntity(wrongFindings, [...TRANSLATED_KINDS])
    yield* orphanedFindings()
  },
}

const wrongFindings: Inspect = async (tx, kind, rows) => {
  if (!isTranslated(kind)) return []
  const rules = await rulesIn(tx)
  const ids = idsOf(rows)
  const [stored, dismissals] = [
    await tx.selectFrom('findings').selectAll().where('entityId', 'in', ids).execute(),
    await tx.selectFrom('dismissals').selectAll().where('entityId', 'in', ids).execute(),
  ]
  const storedOf = Map.groupBy(stored, ({ entityId }) => entityId)
  const relatedOf = Map.groupBy(await relatedFindings(tx, ids, rules), ({ entityId }) => entityId)
  const keysOf = Map.groupBy(await storedKeys(tx, ids), ({ entityId }) => entityId)
  const [pairs, expected] = [
    await storedPairs(tx, ids),
    rules.codes.includes('duplicate') ? await pairsAmong(tx, ids) : [],
  ]
  const [names, expectedNames] = [new Set(pairs.map(pairName)), new Set(expected.map(pairName))]
  const unlike = [...pairs, ...expected].filter(
    (pair) => !names.has(pairName(pair)) || !expectedNames.has(pairName(pair)),
  )
  const mispaired = new Set(unlike.flatMap(({ first, second }) => [first, second]))
  return rows.flatMap((row): Issue[] => {
    const { _id: id } = row
    const document = documentOf(row, kind)
    const all = [...foundIn(kind, id, document, rules), ...(relatedOf.get(id) ?? [])]
    const hasOthers = differ((storedOf.get(id) ?? []).map(keyOf), withoutDismissed(all, dismissals).map(keyOf))
    const keys = expectedKeys([{ id, kind, likely: likelyOf(kind, document) }], dismissals)
    if (!hasOthers && !mispaired.has(id) && !differ((keysOf.get(id) ?? []).map(rowName), keys.map(rowName))) return []
    return [{ what: `${kind} ${id}: its stored findings are wrong`, repair: () => repair(kind, id) }]
  })
}

const differ = (one: string[], other: string[]): boolean =>
  one.length !== other.length || !other.every((each) => one.includes(each))

const documentOf = (row: Meta, kind: Parameters<Inspect>[1]) =>
  row.deletedAt === null ? fieldsOf(definitionOf(kind), row as never) : undefined

/** Findings and duplicate keys of entities that do not exist. */
async function* orphanedFindings(): AsyncGenerator<Issue> {
  for (const kind of TRANSLATED_KINDS) {
    const without = (table: string) => sql`SELECT DISTINCT "entityId" AS "id" FROM ${sql.table(table)} "its"
      WHERE "entityType" = ${kind}
      AND NOT EXISTS (SELECT 1 FROM ${sql.table(TABLES[kind])} WHERE "_id" = "its"."entityId")`
    const orphaned = [...(await orphanedRows(without('findings'))), ...(await orphanedRows(without('titleKeys')))]
    for (const { id } of orphaned)
      yield { what: `${kind} ${id}: has findings but does not exist`, repair: () => repair(kind, id) }
    yield* truncationIssue(orphaned)
  }
}

const repair = (kind: Translated, id: string): Promise<void> =>
  transaction(async (tx) => {
    const row = await findRow(definitionOf(kind), id, tx)
    await refreshFindings(tx, kind, [{ id, document: row && documentOf(row, kind) }])
  })

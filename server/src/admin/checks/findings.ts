import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { sql } from 'kysely'
import { transaction } from '#database/db.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { definitionOf } from '#ledger/registry.ts'
import { fieldsOf, findRow } from '#ledger/rows.ts'
import { foundIn, keyOf, withoutDismissed } from '#ledger/findingRows.ts'
import { refreshFindings, rulesIn } from '#ledger/findings.ts'
import { checkProgress, rebuildFindings } from '../../findings/rebuild.ts'
import { type Check, everyEntity, type Inspect, type Issue, idsOf, left, truncationNotice } from './check.ts'

/** What is found of an entity is stored, and nothing else is. */
export const found: Check = {
  name: 'findings',
  run: async function* inspect() {
    const progress = await checkProgress()
    if (progress && progress.total > 0) {
      const repair = () => rebuildFindings(new AbortController().signal)
      yield { what: 'the catalogue is being checked, or was not to its end', repair }
      return
    }
    yield* everyEntity(wrongFindings, [...TRANSLATED_KINDS])
    yield* orphanedFindings()
  },
}

const wrongFindings: Inspect = async (tx, kind, rows) => {
  const rules = await rulesIn(tx)
  const ids = idsOf(rows)
  const [stored, dismissals] = [
    await tx.selectFrom('findings').selectAll().where('entityId', 'in', ids).execute(),
    await tx.selectFrom('dismissals').selectAll().where('entityId', 'in', ids).execute(),
  ]
  const storedOf = Map.groupBy(stored, ({ entityId }) => entityId)
  return rows.flatMap((row): Issue[] => {
    const is = (storedOf.get(row._id) ?? []).map(keyOf)
    const should = withoutDismissed(foundIn(kind, row._id, documentOf(row, kind), rules), dismissals).map(keyOf)
    if (is.length === should.length && should.every((key) => is.includes(key))) return []
    return [{ what: `${kind} ${row._id}: other findings than it has`, repair: () => mend(kind, row._id) }]
  })
}

const documentOf = (row: Meta, kind: Parameters<Inspect>[1]) =>
  row.deletedAt === null ? fieldsOf(definitionOf(kind), row as never) : undefined

/** Findings of what is not there. */
async function* orphanedFindings(): AsyncGenerator<Issue> {
  for (const kind of TRANSLATED_KINDS) {
    const gone = await left(sql`SELECT DISTINCT "entityId" AS "id" FROM "findings" WHERE "entityType" = ${kind}
      AND NOT EXISTS (SELECT 1 FROM ${sql.table(TABLES[kind])} WHERE "_id" = "findings"."entityId")`)
    for (const { id } of gone)
      yield { what: `${kind} ${id}: findings, but nothing that has them`, repair: () => mend(kind, id) }
    yield* truncationNotice(gone)
  }
}

const mend = (kind: Parameters<Inspect>[1], id: string): Promise<void> =>
  transaction(async (tx) => {
    const row = await findRow(definitionOf(kind), id, tx)
    await refreshFindings(tx, kind, [{ id, document: row && documentOf(row, kind) }])
  })

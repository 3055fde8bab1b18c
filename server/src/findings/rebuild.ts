import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { TRANSLATED_KINDS, type Translated } from '@mokuroku/contract/kinds'
import { locked, advisoryLock, transaction, type Transaction } from '#database/db.ts'
import { type Meta, TABLES } from '#database/tables.ts'
import { addOnce } from '#jobs/queue.ts'
import { type Job, registerWork } from '#jobs/work.ts'
import { countersOf, totalCounter } from '#ledger/counters.ts'
import { definitionOf } from '#ledger/registry.ts'
import { pagesBySize } from '#ledger/pages.ts'
import { fieldsOf, nextRows } from '#ledger/rows.ts'
import { rulesName } from '#ledger/findingRows.ts'
import { CHECKED_WRITES, refreshFindings, whenRulesChange } from '#ledger/findings.ts'
import { progressIn, rulesIn } from '#ledger/findingStore.ts'
import { findings } from '#store/findings'

const WORK = 'checking the catalogue'
/** The job that checks everything; there is only one at a time. */
export const REBUILD = 'findings.rebuild'
/** Number of entities checked in one transaction; fewer if they are large. */
const PAGE_SIZE = 500

whenRulesChange((tx) => addOnce(tx, REBUILD, { anew: true }))

registerWork(REBUILD, {
  run: async ({ signal, hold }) => {
    while (!signal.aborted && !(await checkNext(hold))) await yieldToEventLoop()
  },
})

/** Queues a check of everything that has not been checked by the current rules. Called when a server starts. */
export const checkLater = (): Promise<boolean> => transaction((tx) => addOnce(tx, REBUILD))

/**
 * Checks every entity by the current rules, unless that is done. Continues where it was stopped, in this or another
 * process, and starts over if the rules change meanwhile. Several processes may run it at once: each takes the next
 * page.
 */
export async function rebuildFindings(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await checkNext())) await yieldToEventLoop()
}

/** Rechecks findings that passing time resolves: release dates that were in the future. */
export async function recheckDated(signal: AbortSignal): Promise<void> {
  for (const kind of TRANSLATED_KINDS)
    for (let cursor: string | undefined = ''; cursor !== undefined && !signal.aborted;) {
      const after: string = cursor
      cursor = await transaction(async (tx) => {
        const ids = await findings.idsWith(
          tx,
          { kind, code: 'futureCompleted', language: '', cursor: after },
          PAGE_SIZE,
        )
        const [page] = await pagesBySize(tx, kind, ids)
        if (page) await recheck(tx, kind, page)
        return page?.at(-1)
      })
    }
}

async function recheck(tx: Transaction, kind: Translated, ids: string[]): Promise<void> {
  const query = tx.selectFrom(TABLES[kind]).selectAll().where('_id', 'in', ids).orderBy('_id')
  const rows = await locked(query).execute()
  await refreshFindings(tx, kind, documentsOf(kind, rows))
}

/** Checks the next page of entities. Returns whether everything is checked. */
const checkNext = (hold?: Job['hold']): Promise<boolean> =>
  transaction(async (tx) => {
    await advisoryLock(tx, WORK)
    const [rules, progress] = [await rulesIn(tx), await progressIn(tx)]
    if (progress.rules !== rulesName(rules)) {
      const total = await begin(tx, rulesName(rules))
      await hold?.(tx, 0, { total })
      return false
    }
    const kind = TRANSLATED_KINDS.find((each) => each === progress.kind)
    if (progress.isComplete || !kind) return true
    const rows = await nextRows(tx, kind, progress.cursor, PAGE_SIZE)
    await refreshFindings(tx, kind, documentsOf(kind, rows), rules)
    const present = rows.filter(({ deletedAt }) => deletedAt === null).length
    await advanceTo(tx, { kind, cursor: rows.at(-1)?._id, done: progress.done + present })
    await hold?.(tx, present)
    return false
  })

const documentsOf = (kind: Translated, rows: Meta[]) =>
  rows.map((row) => ({
    id: row._id,
    document: row.deletedAt === null ? fieldsOf(definitionOf(kind), row as never) : undefined,
  }))

/**
 * Makes every write check by these rules from now on, after waiting for writes that read the old ones. Returns the
 * total.
 */
async function begin(tx: Transaction, rules: string): Promise<number> {
  await advisoryLock(tx, CHECKED_WRITES)
  const counts = await countersOf(tx, TRANSLATED_KINDS.map(totalCounter))
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const start = { kind: TRANSLATED_KINDS[0] ?? '', cursor: '', done: 0, total, isComplete: false }
  await tx
    .updateTable('findingsProgress')
    .set({ rules, ...start })
    .execute()
  return total
}

/** Stores the progress: up to a cursor, or, without one, the whole kind. */
async function advanceTo(
  tx: Transaction,
  { kind, cursor, done }: { kind: Translated; cursor: string | undefined; done: number },
): Promise<void> {
  const next = TRANSLATED_KINDS[TRANSLATED_KINDS.indexOf(kind) + 1]
  const place = cursor === undefined ? { kind: next ?? '', cursor: '', isComplete: next === undefined } : { cursor }
  await tx
    .updateTable('findingsProgress')
    .set({ ...place, done })
    .execute()
}

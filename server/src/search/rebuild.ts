// Rebuilds the index while search continues with the old entries.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { CATALOGUE, type Kind, kinds, SEARCHED_KINDS, type SearchedKind } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { db, engine, transaction, type Transaction } from '#database/db.ts'
import { TABLES } from '#database/tables.ts'
import { addOnce } from '#jobs/queue.ts'
import { registerWork } from '#jobs/work.ts'
import { countersOf, setCounter, totalCounter } from '#ledger/counters.ts'
import { footprintOf } from '#ledger/footprint.ts'
import { definitionOf } from '#ledger/registry.ts'
import { findRow, nextRows } from '#ledger/rows.ts'
import { labelsOf } from '#ledger/texts.ts'
import { forgetStatus, READINGS, REBUILD, VERSION } from './progress.ts'
import { time } from '#lib/clock.ts'
import { dictionaryLoaded, needsReading, readAhead } from './readings.ts'
import { search } from './store.ts'

/**
 * Number of entities indexed (fewer if they are large), and number of old labels dropped, in one transaction. On SQLite,
 * all other writers wait for it, and the index merges parts of itself meanwhile (store.ts).
 */
const PAGE_SIZE = { postgres: 200, sqlite: 20 }
const DROP_SIZE = { postgres: 1000, sqlite: 100 }

/** Texts of more characters together are read after the transaction: more than those of most pages. */
const MAX_READ_CHARS = 40_000

/** The position of a rebuild: the last label id at its start, and the last entity done of a kind. */
type Place = { version: number; before: number; kind: SearchedKind | null; cursor: string }

interface Step {
  /** The next position; absent if all is done. */
  next?: Place
  /** The number of entities done in this step, and in the first step the total. */
  done: number
  total?: number
  /** Whether nothing is done yet because of a Japanese title: no transaction may wait until the dictionary is loaded. */
  needsDictionary?: boolean
}

/** Rebuilds the index in the background if it is of another version. Called once after the start. */
export async function bringUpToDate(): Promise<void> {
  const { searchVersion } = await countersOf(db, ['searchVersion'])
  if (searchVersion !== VERSION) await transaction(rebuildLater)
}

/** Queues a rebuild of the index, unless one is in progress; returns whether it did. */
export const rebuildLater = (tx: Transaction): Promise<boolean> => addOnce(tx, REBUILD)

registerWork(REBUILD, {
  run: async ({ payload, signal, hold }) => {
    // A rebuild begun by another version starts over.
    let at = payload.version === VERSION ? (payload as Place) : undefined
    let hasWaited = false
    while (!signal.aborted) {
      const { next, needsDictionary = false } = await transaction(async (tx) => {
        const step = await stepFrom(tx, at, hasWaited)
        await hold(tx, step.done, { payload: step.next ?? {}, total: step.total })
        return step
      })
      if (needsDictionary) await dictionaryLoaded()
      hasWaited ||= needsDictionary
      forgetStatus()
      if (!next) return
      at = next
      await yieldToEventLoop()
    }
  },
})

registerWork(READINGS, {
  run: async ({ payload, hold }) => {
    const { kind, ids } = payload as { kind: SearchedKind; ids: string[] }
    if (!(await dictionaryLoaded())) throw new Error('The dictionary for readings could not be loaded')
    for (const id of ids) {
      const row = await findRow(definitionOf(kind), id)
      const labels = row ? footprintOf(definitionOf(kind), row).labels : []
      if (!(await readAhead(labels))) throw new Error('The dictionary for readings did not answer in time')
      await transaction(async (tx) => {
        await hold(tx)
        await reindexEntity(tx, kind, id)
      })
    }
  },
})

/** Replaces the labels of an entity by those that follow from its row. */
export async function reindexEntity(tx: Transaction, kind: Kind, id: string): Promise<void> {
  const definition = definitionOf(kind)
  const row = await findRow(definition, id, tx)
  await search.reindex(tx, kind, id, row ? footprintOf(definition, row).labels : [])
}

/** Rebuilds the index immediately. `onProgress` receives the number of entities done, and the total. */
export async function rebuildSearch(onProgress?: (done: number, total: number) => void): Promise<void> {
  let at: Place | undefined
  let [done, total] = [0, 0]
  let hasWaited = false
  do {
    const { needsDictionary = false, ...step } = await transaction((tx) => stepFrom(tx, at, hasWaited))
    if (needsDictionary) await dictionaryLoaded()
    hasWaited ||= needsDictionary
    total = step.total ?? total
    done += step.done
    if (step.done > 0) onProgress?.(done, total)
    at = step.next
    forgetStatus()
    await yieldToEventLoop()
  } while (at)
}

/**
 * Does one step of a rebuild: begins, indexes the next entities of a kind, drops old labels, or ends. `hasWaited` says
 * whether the dictionary was waited for.
 */
async function stepFrom(tx: Transaction, at: Place | undefined, hasWaited: boolean): Promise<Step> {
  if (!at) return begin(tx)
  if (at.kind) {
    const { last, done, needsDictionary } = await reindexAfter(tx, at.kind, at.cursor, hasWaited)
    if (needsDictionary) return { done: 0, next: at, needsDictionary }
    return {
      done,
      next: last === undefined ? { ...at, kind: kindAfter(at.kind), cursor: '' } : { ...at, cursor: last },
    }
  }
  if (await dropUpTo(tx, at.before)) return { done: 0, next: at }
  await setCounter(tx, 'searchVersion', VERSION)
  await setCounter(tx, 'searchRebuiltAt', time())
  return { done: 0 }
}

const kindAfter = (kind: SearchedKind) => SEARCHED_KINDS[SEARCHED_KINDS.indexOf(kind) + 1] ?? null

/** Begins a rebuild. Until it is complete, every server start resumes it. */
async function begin(tx: Transaction): Promise<Step> {
  await setCounter(tx, 'searchVersion', 0)
  const last = await tx.selectFrom('labels').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return {
    done: 0,
    total: await countPresent(tx),
    next: { version: VERSION, before: last?.id ?? 0, kind: SEARCHED_KINDS[0] ?? null, cursor: '' },
  }
}

/** The number of entities to index: from counters for the catalogue; others are few and counted. */
async function countPresent(tx: Transaction): Promise<number> {
  const counts = await countersOf(tx, CATALOGUE.map(totalCounter))
  let total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  for (const kind of SEARCHED_KINDS.filter((each) => !('catalogue' in kinds[each]))) {
    const query = tx.selectFrom(TABLES[kind]).select(({ fn }) => fn.countAll<number>().as('count'))
    total += (await query.where('deletedAt', 'is', null).executeTakeFirstOrThrow()).count
  }
  return total
}

/** Indexes the next entities after `cursor` from scratch. `last` is the id of the last one. */
async function reindexAfter(tx: Transaction, kind: SearchedKind, cursor: string, hasWaited: boolean) {
  const rows = await nextRows(tx, kind, cursor, PAGE_SIZE[engine])
  const ids = rows.map(({ _id }) => _id)
  if (ids.length === 0) return { last: undefined, done: 0 }
  const present = rows.filter(({ deletedAt }) => deletedAt === null)
  const definition = definitionOf(kind)
  const entities = present.map((row) => ({ id: row._id, labels: labelsOf(definition, row as unknown as Document) }))
  if (!hasWaited && entities.some(({ labels }) => labels.some(needsReading))) return { done: 0, needsDictionary: true }
  const old = await tx.selectFrom('labels').select('id').where('entityId', 'in', ids).execute()
  // Insert before dropping: new ids are then above all from before the rebuild, and any older one is known to be old.
  await search.add(tx, kind, entities, MAX_READ_CHARS)
  search.drop(
    tx,
    old.map(({ id }) => id),
  )
  return { last: ids.at(-1), done: present.length }
}

/**
 * Drops some labels from before the rebuild whose entity cannot be found any more; returns whether there were any.
 * Entities that were being created when the rebuild began have labels as old, which it may have missed.
 */
async function dropUpTo(tx: Transaction, before: number): Promise<boolean> {
  const rows = await tx
    .selectFrom('labels')
    .select('id')
    .where('id', '<=', before)
    .where(({ eb, not, or, exists }) =>
      not(
        or(
          SEARCHED_KINDS.map((kind) =>
            eb('kind', '=', kind).and(
              exists(
                eb
                  .selectFrom(TABLES[kind])
                  .select('_id')
                  .whereRef('_id', '=', 'entityId')
                  .where('deletedAt', 'is', null),
              ),
            ),
          ),
        ),
      ),
    )
    .limit(DROP_SIZE[engine])
    .execute()
  search.drop(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.length > 0
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type Batch,
  type BatchOutcome,
  type BatchQuery,
  type BatchResult,
  type BatchResultQuery,
  MAX_OPEN_BATCHES,
} from '@mokuroku/contract/batches'
import { MAX_ROLLBACK_ROWS } from '@mokuroku/contract/bulk'
import type { Document } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import type * as z from 'zod/mini'
import { type Actor, checkPermission } from '#access/permissions.ts'
import { db, type Reader, send, type Transaction } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { insertRows } from '#database/insert.ts'
import type { RowKey } from '#database/locks.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { addDone, cancel, enqueue, unfinishedIn } from '#jobs/queue.ts'
import type { Row } from '#ledger/definition.ts'
import { type Titles, titlesOf } from '#ledger/texts.ts'
import { countWrite } from '#ledger/writeLimit.ts'
import { notFound, Refusal } from '#lib/errors.ts'
import { now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'

/** The kind of job that runs a batch. */
export const BATCH_JOB = 'batch'

/** About how much the result for one entity takes in the database, with its indexes, in bytes. */
const RESULT_BYTES = 256

/** The number of entities that a batch wrote which are read at a time. On SQLite, no other statement can run meanwhile. */
const WRITTEN_SIZE = 500

type BatchRow = Tables['batches']
export type StoredBatch = BatchRow & Pick<Tables['jobs'], 'state' | 'total' | 'done' | 'startedAt' | 'finishedAt'>
type NewBatch = Partial<Pick<BatchRow, 'entityType' | 'change' | 'rollsBack' | 'reason' | 'changed'>> &
  Pick<BatchRow, 'what'>

export const records = {
  /** Queues a batch of `targets` and returns its id. Throws 429 if the user has too many unfinished ones. */
  add: async (tx: Transaction, given: NewBatch, targets: RowKey[], actor: Actor, id = newId()): Promise<string> => {
    const batch = await records.begin(tx, given, targets.length, actor, id)
    await insertTargets(tx, batch, targets)
    return batch
  },

  /** Like `add`, but the caller inserts the `total` rows in the same transaction. */
  begin: async (tx: Transaction, given: NewBatch, total: number, actor: Actor, batch = newId()): Promise<string> => {
    const lane = `batches of ${actor._id}`
    if ((await unfinishedIn(tx, lane)) >= MAX_OPEN_BATCHES) {
      const message = reasonText('batchesMany', { limit: MAX_OPEN_BATCHES })
      throw new Refusal(429, 'tooManyBatches', message)
    }
    await enqueue(tx, { id: batch, kind: BATCH_JOB, payload: {}, lane, total })
    await insertBatch(tx, batch, given, total, actor)
    return batch
  },

  /** Records a batch whose writes were done by this transaction, without queueing it. */
  addDone: async (tx: Transaction, batch: string, given: NewBatch, targets: RowKey[], actor: Actor): Promise<void> => {
    await addDone(tx, { id: batch, kind: BATCH_JOB, payload: {}, total: targets.length })
    await insertBatch(tx, batch, { ...given, changed: targets.length }, targets.length, actor)
    await insertTargets(tx, batch, targets, 'changed')
  },

  /** A page of the batches that `actor` may see, newest first. */
  list: async ({ page, limit }: z.output<typeof BatchQuery>, actor: Actor) => {
    const own = actor.role === 'user' ? actor._id : undefined
    const rows = await stored(db)
      .$if(own !== undefined, (query) => query.where('batches.userId', '=', own ?? ''))
      .orderBy('batches.createdAt', 'desc')
      .orderBy('batches._id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const { total } = await db
      .selectFrom('batches')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .$if(own !== undefined, (query) => query.where('userId', '=', own ?? ''))
      .executeTakeFirstOrThrow()
    const rollbacks = await records.rollbacksOf(finishedAmong(rows))
    return { data: rows.map((row) => shown(row, rollbacks.get(row._id))), pagination: { total, page, limit } }
  },

  /** The latest rollback of each batch that is in effect: it has changed something or may yet, and is not undone itself. */
  rollbacksOf: async (ids: string[]): Promise<Map<string, NonNullable<Batch['rollback']>>> => {
    if (ids.length === 0) return new Map()
    const from = db.withRecursive('rollbacks', (start) =>
      start
        .selectFrom('batches')
        .select('_id')
        .where(inList('rollsBack', ids))
        // Each once: what a rollback of this page rolls back may be on it, too.
        .union(
          start
            .selectFrom('batches')
            .innerJoin('rollbacks', 'rollbacks._id', 'batches.rollsBack')
            .select('batches._id'),
        ),
    )
    const newestFirst = await from
      .selectFrom('rollbacks')
      .innerJoin('batches', 'batches._id', 'rollbacks._id')
      .innerJoin('jobs', 'jobs._id', 'batches._id')
      .selectAll('batches')
      .select(JOB_COLUMNS)
      .orderBy('batches.createdAt', 'desc')
      .orderBy('batches._id', 'desc')
      .execute()
    const inEffect = new Map<string, NonNullable<Batch['rollback']>>()
    // A rollback is newer than what it rolls back, so that it is known by then whether it was undone.
    for (const rollback of newestFirst) {
      const { _id, changed, finishedAt } = rollback
      const original = rollback.rollsBack ?? ''
      if ((changed > 0 || finishedAt === null) && !inEffect.has(_id) && !inEffect.has(original))
        inEffect.set(original, withAuthor(rollback))
    }
    return inEffect
  },

  /** Throws 404 if it does not exist, or `actor` may not see it. */
  find: async (id: string, actor: Actor): Promise<Batch> => {
    const row = await records.row(db, id)
    if (!row || !(maySee(row, actor) || (await maySeeOriginal(row, actor)))) return notFound('Batch')
    return shown(row, (await records.rollbacksOf(finishedAmong([row]))).get(id))
  },

  row: (from: Reader, id: string): Promise<StoredBatch | undefined> =>
    stored(from).where('batches._id', '=', id).executeTakeFirst(),

  /** The result for each entity of a batch, as `actor` may see it. */
  results: async (id: string, query: z.output<typeof BatchResultQuery>, actor: Actor) => {
    const { page, limit, outcome } = query
    const batch = await records.find(id, actor)
    const rows = await db
      .selectFrom('batchRows')
      .selectAll()
      .where('batch', '=', id)
      .$if(outcome !== undefined, (each) => each.where('outcome', '=', outcome ?? ''))
      .orderBy('seq')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const titles = await titlesOfRows(rows, actor)
    const data = rows.map(({ entityType, entityId, kept, ...row }): BatchResult => ({
      ...row,
      kind: entityType,
      _id: entityId,
      ...(titles.get(entityId) ?? { title: null }),
      kept: kept ?? [],
    }))
    return { data, pagination: { total: outcome ? batch[outcome] : batch.total, page, limit } }
  },

  /** Cancels a batch. Throws 409 if it is finished. */
  cancel: async (tx: Transaction, id: string, actor: Actor): Promise<void> => {
    const row = await records.row(tx, id)
    if (!row || !maySee(row, actor)) notFound('Batch')
    if (!(await cancel(tx, id, { unlessDone: true }))) throw new Refusal(409, 'finished', reasonText('batchEnded'))
  },

  /** The next pending entities. */
  next: (id: string, limit: number): Promise<Tables['batchRows'][]> =>
    db
      .selectFrom('batchRows')
      .selectAll()
      .where('batch', '=', id)
      .where('outcome', '=', '')
      .orderBy('seq')
      .limit(limit)
      .execute(),

  /** Stores and counts the results for some entities. */
  note: async (tx: Transaction, id: string, results: Result[]): Promise<void> => {
    for (const { seq, outcome, code = null, message = null, kept = null } of results)
      send(
        tx,
        tx
          .updateTable('batchRows')
          .set({ outcome, code, message, kept })
          .where('batch', '=', id)
          .where('seq', '=', seq),
      )
    const count = (wanted: BatchOutcome) => results.filter(({ outcome }) => outcome === wanted).length
    await tx
      .updateTable('batches')
      .set((set) => ({
        changed: set('changed', '+', count('changed')),
        unchanged: set('unchanged', '+', count('unchanged')),
        refused: set('refused', '+', count('refused')),
      }))
      .where('_id', '=', id)
      .execute()
  },
}

async function insertBatch(
  tx: Transaction,
  batch: string,
  given: NewBatch,
  total: number,
  actor: Actor,
): Promise<void> {
  const { _id: userId, username } = actor
  await countWrite(tx, actor, given, total * RESULT_BYTES)
  const none = { entityType: null, change: null, rollsBack: null, reason: null, changed: 0, unchanged: 0, refused: 0 }
  await tx
    .insertInto('batches')
    .values({ _id: batch, ...none, ...given, userId, username, createdAt: now() })
    .execute()
}

async function insertTargets(
  tx: Transaction,
  batch: string,
  targets: RowKey[],
  outcome: BatchOutcome | '' = '',
): Promise<void> {
  const row = { batch, outcome, code: null, message: null, kept: null }
  await insertRows(
    tx,
    'batchRows',
    targets.map(({ kind, id }, seq) => ({ ...row, seq, entityType: kind, entityId: id })),
  )
}

export interface Result {
  seq: number
  outcome: BatchOutcome
  code?: string
  message?: string
  kept?: string[]
}

type Written = Pick<Tables['revisions'], 'entityType' | 'entityId' | 'userId'>

/**
 * The entities that a batch wrote, last written first, with who wrote them, in pages: other requests get a turn in
 * between. Then those of its rows, whose revisions retention may have deleted: an entity that has both comes twice.
 */
export async function* pagesWrittenBy(from: Reader, batch: string): AsyncGenerator<Written[]> {
  yield* revisionPages(from, batch)
  const changed = from
    .selectFrom('batchRows')
    .innerJoin('batches', 'batches._id', 'batchRows.batch')
    .select(['seq', 'batchRows.entityType', 'entityId', 'userId'])
    .where('batch', '=', batch)
    .where('outcome', '=', 'changed')
    .orderBy('seq')
    .limit(WRITTEN_SIZE)
  yield* pages<Written & { seq: number }>((last) => changed.where('seq', '>', last?.seq ?? -1).execute())
}

/** The revisions of a batch, newest first, in pages as `pagesWrittenBy`. */
export function revisionPages(from: Reader, batch: string) {
  const newest = from
    .selectFrom('revisions')
    .select(['_id', 'entityType', 'entityId', 'userId'])
    .where('batch', '=', batch)
    .orderBy('_id', 'desc')
    .limit(WRITTEN_SIZE)
  return pages<Written & { _id: string }>((last) => (last ? newest.where('_id', '<', last._id) : newest).execute())
}

/** Rows in pages of `WRITTEN_SIZE`. `after` reads the page after a row, or the first one. */
async function* pages<Each>(after: (last: Each | undefined) => Promise<Each[]>): AsyncGenerator<Each[]> {
  for (let last: Each | undefined, isMore = true; isMore;) {
    const page = await after(last)
    yield page
    await yieldToEventLoop()
    last = page.at(-1)
    isMore = page.length === WRITTEN_SIZE
  }
}

/**
 * All entities of `pagesWrittenBy`, each once. If there are more than a rollback may have, more than that are returned,
 * but not all.
 */
export async function writtenBy(from: Reader, batch: string): Promise<Written[]> {
  const written = new Map<string, Written>()
  for await (const page of pagesWrittenBy(from, batch)) {
    for (const each of page) if (!written.has(each.entityId)) written.set(each.entityId, each)
    if (written.size > MAX_ROLLBACK_ROWS) break
  }
  return [...written.values()]
}

const JOB_COLUMNS = ['jobs.state', 'jobs.total', 'jobs.done', 'jobs.startedAt', 'jobs.finishedAt'] as const

const stored = (from: Reader) =>
  from.selectFrom('batches').innerJoin('jobs', 'jobs._id', 'batches._id').selectAll('batches').select(JOB_COLUMNS)

const shown = (row: StoredBatch, rollback: Batch['rollback'] = null): Batch => ({
  ...withAuthor(row),
  kind: row.entityType,
  rollback,
})

const withAuthor = ({ userId, username, ...row }: StoredBatch) => ({ ...row, createdBy: { _id: userId, username } })

/** Only finished batches can have a rollback. */
const finishedAmong = (rows: StoredBatch[]): string[] =>
  rows.filter(({ finishedAt }) => finishedAt !== null).map(({ _id }) => _id)

const maySee = ({ userId }: BatchRow, actor: Actor): boolean => actor.role !== 'user' || userId === actor._id

/** Whether `actor` may see the batch that a rollback rolls back: its author may see what became of it. */
async function maySeeOriginal({ rollsBack }: StoredBatch, actor: Actor): Promise<boolean> {
  const original = rollsBack === null ? undefined : await records.row(db, rollsBack)
  return original !== undefined && maySee(original, actor)
}

/** The titles of some entities; of those in the trash, only the ones that `actor` may restore. */
async function titlesOfRows(rows: Tables['batchRows'][], actor: Actor): Promise<Map<string, Titles>> {
  const titles = new Map<string, Titles>()
  for (const [kind, some] of Map.groupBy(rows, ({ entityType }) => entityType)) {
    const found = (await db
      .selectFrom(TABLES[kind])
      .selectAll()
      .where(
        '_id',
        'in',
        some.map(({ entityId }) => entityId),
      )
      .execute()) as unknown as Row<Document>[]
    for (const row of found)
      if (!row.deletedAt || checkPermission(actor, 'restore', kind, row.createdBy).allowed)
        titles.set(row._id, titlesOf(kind, row))
  }
  return titles
}

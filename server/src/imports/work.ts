import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import type { ImportMapping } from '@mokuroku/contract/imports'
import { actorNow, inBackground } from '#access/session.ts'
import { afterCommit, db, transaction, type Transaction } from '#database/db.ts'
import { deleteRows, deleteSomeRows } from '#database/deleteRows.ts'
import { insertRows } from '#database/insert.ts'
import { publishJobs } from '#jobs/signal.ts'
import { type Ending, type Job, registerWork } from '#jobs/work.ts'
import { Refusal } from '#lib/errors.ts'
import { readFile, type ReadRow } from './file.ts'
import { guessMapping } from './guess.ts'
import { planRows, type RowPlan } from './plan.ts'
import { fieldsOf, NO_COUNTS, records, type StoredImport, usedLanguages } from './records.ts'
import { planTranslations } from './translations.ts'

/** The kind of job that reads and checks an import. */
export const IMPORT_JOB = 'import'
/** Number of rows stored, and checked, at a time; fewer if they are large. */
const [ROWS_PER_WRITE, ROWS_PER_CHECK] = [500, 200]
const CHARS_PER_WRITE = 4_000_000

registerWork(IMPORT_JOB, { run, ended, restarted })

/** Reads the file of an import, unless that is done, and checks the rows that are not checked yet. */
async function run(job: Job): Promise<void> {
  const id = String(job.payload.import)
  try {
    const row = await current(job, id)
    if (row?.state === 'reading') await keepRows(job, row)
    await check(job, id)
  } catch (error) {
    // When the server stops, it kills the reading process: that is not the file's fault.
    if (!(error instanceof Refusal) || job.signal.aborted) throw error
    await transaction(async (tx) => {
      await job.hold(tx, 0)
      await records.set(tx, id, { state: 'failed', reason: error.message })
      await tx.deleteFrom('importParts').where('import', '=', id).execute()
      afterCommit(tx, publishJobs)
    })
  }
}

/** The import that a job works on; undefined if another job has taken over. */
async function current(job: Job, id: string): Promise<StoredImport | undefined> {
  const row = await records.row(db, id)
  return row?.job === job._id ? row : undefined
}

/** Replaces the stored file by its rows. After a crash, it is read again from the start. */
async function keepRows(job: Job, given: StoredImport): Promise<void> {
  const { _id: id, entityType: type, userId } = given
  await clear(job, 'importRows', id)
  await readFile(id, async ({ columns, total, isGuarded, separator }, rows) => {
    let seq = 0
    const write = (chunk: ReadRow[]): Promise<void> =>
      transaction(async (tx) => {
        await job.hold(tx, 0)
        const kept = chunk.map(({ line, cells, numbers = null, fault = null }, at) => ({
          import: id,
          seq: seq + at,
          line,
          cells,
          numbers,
          fault,
        }))
        await insertRows(tx, 'importRows', kept)
      })
    let waiting: ReadRow[] = []
    let chars = 0
    for await (const row of rows) {
      if (job.signal.aborted) return
      waiting.push(row)
      chars += row.cells.reduce((sum, cell) => sum + cell.length, 0)
      if (waiting.length < ROWS_PER_WRITE && chars < CHARS_PER_WRITE) continue
      await write(waiting)
      seq += waiting.length
      waiting = []
      chars = 0
      await yieldToEventLoop()
    }
    if (waiting.length > 0) await write(waiting)
    const headers = columns.map(({ header }) => header)
    const [known, languages] = [await rememberedMapping(userId, type), await usedLanguages()]
    const mapping = guessMapping(headers, known, { type, fields: fieldsOf(type), languages })
    await transaction(async (tx) => {
      await job.hold(tx, 0, { total })
      await records.set(tx, id, { columns, mapping, total, isGuarded, separator, state: 'checking' })
      await tx.deleteFrom('importParts').where('import', '=', id).execute()
      afterCommit(tx, publishJobs)
    })
  })
}

/** The fields that a user mapped columns to before, by header. */
async function rememberedMapping(userId: string, type: StoredImport['entityType']): Promise<ImportMapping> {
  const row = await db
    .selectFrom('importMappings')
    .select('mapping')
    .where('userId', '=', userId)
    .where('entityType', '=', type)
    .executeTakeFirst()
  return row?.mapping ?? {}
}

/** Plans the rows without a plan, some at a time, with the current permissions of the user who sent the file. */
async function check(job: Job, id: string): Promise<void> {
  const row = await current(job, id)
  if (row?.state !== 'checking') return
  const { entityType: type } = row
  const actor = inBackground(row.userId, row.username)
  let after = await lastPlanned(id)
  while (!job.signal.aborted) {
    const rows = await records.next(id, after, ROWS_PER_CHECK)
    const last = rows.at(-1)
    if (!last) return ready(job, id)
    const writer = await transaction((tx) => actorNow(tx, actor))
    const { plans, keys } =
      type === 'Translation'
        ? { plans: await planTranslations(row, rows, writer), keys: [] }
        : await planRows(row, type, rows, writer)
    await transaction(async (tx) => {
      await job.hold(tx, rows.length)
      await insertRows(
        tx,
        'importPlans',
        plans.map((plan) => ({ import: id, ...plan })),
      )
      await insertRows(
        tx,
        'importKeys',
        [...new Map(keys.map((key) => [`${key.key} ${key.day} ${key.line}`, key])).values()].map((key) => ({
          import: id,
          ...key,
        })),
      )
      await count(tx, id, plans)
      afterCommit(tx, publishJobs)
    })
    after = last.seq
    // Let waiting requests run in between.
    await yieldToEventLoop()
  }
}

async function lastPlanned(id: string): Promise<number> {
  const row = await db
    .selectFrom('importPlans')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .where('import', '=', id)
    .executeTakeFirst()
  return (row?.seq as number | null | undefined) ?? -1
}

async function ready(job: Job, id: string): Promise<void> {
  await clear(job, 'importKeys', id)
  await transaction(async (tx) => {
    await job.hold(tx, 0)
    await records.set(tx, id, { state: 'ready' })
    afterCommit(tx, publishJobs)
  })
}

/** Deletes the rows of an import from one table, some at a time, so that other writes need not wait for all of them. */
async function clear(job: Job, table: 'importRows' | 'importKeys', id: string): Promise<void> {
  const some = () =>
    transaction(async (tx) => {
      await job.hold(tx, 0)
      return deleteSomeRows(tx, table, ['import', '=', id])
    })
  while (await some()) await yieldToEventLoop()
}

async function count(tx: Transaction, id: string, plans: RowPlan[]): Promise<void> {
  const of = (outcome: RowPlan['outcome']): number => plans.filter((plan) => plan.outcome === outcome).length
  await tx
    .updateTable('imports')
    .set((set) => ({
      new: set('new', '+', of('new')),
      changed: set('changed', '+', of('changed')),
      unchanged: set('unchanged', '+', of('unchanged')),
      refused: set('refused', '+', of('refused')),
      duplicates: set('duplicates', '+', of('duplicates')),
    }))
    .where('_id', '=', id)
    .execute()
}

/** Deletes all plans, so that the rows are checked again. */
export async function forgetPlans(tx: Transaction, id: string): Promise<void> {
  for (const table of ['importPlans', 'importKeys'] as const) await deleteRows(tx, table, ['import', '=', id])
  await records.set(tx, id, NO_COUNTS)
}

/** Sets the state of an import whose job was cancelled or has failed. */
async function ended(tx: Transaction, id: string, ending: Ending): Promise<void> {
  if (ending === 'done') return
  await tx
    .updateTable('imports')
    .set(ending === 'cancelled' ? { state: 'cancelled' } : { state: 'failed', reason: reasonText('failed') })
    .where('job', '=', id)
    .where('state', 'in', ['reading', 'checking'])
    .execute()
}

/** Continues an import whose failed job is started again, where it was. */
async function restarted(tx: Transaction, id: string): Promise<void> {
  const failed = tx.updateTable('imports').where('job', '=', id).where('state', '=', 'failed')
  await failed.set({ state: 'reading', reason: null }).where('total', '=', 0).execute()
  await failed.set({ state: 'checking', reason: null }).where('total', '>', 0).execute()
}

import {
  type Correction,
  type Import,
  IMPORT_TYPES,
  type ImportEvent,
  type importsApi,
  isImportField,
  MAX_IMPORT_COLUMNS,
  type ImportMapping,
  type ImportOutcome,
  type ImportState,
  type ImportType,
  REASON_HEADER,
} from '@mokuroku/contract/imports'
import type { FieldError } from '@mokuroku/contract/call'
import { fieldError } from '@mokuroku/contract/faults'
import { TRANSLATED_KINDS } from '@mokuroku/contract/kinds'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Body, Query } from '@mokuroku/contract/route'
import { type Actor, enforce, checkPermission, mayImport, enforceAny } from '#access/permissions.ts'
import { transactionAs } from '#access/session.ts'
import { db, locked, send, type Transaction } from '#database/db.ts'
import { cancel, enqueue, unfinishedIn } from '#jobs/queue.ts'
import { follow } from '#jobs/follow.ts'
import { requireVersion } from '#ledger/conflict.ts'
import { countWrite } from '#ledger/writeLimit.ts'
import { csvLine, unescapeFormula } from '#lib/csv.ts'
import { invalid, Refusal } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { audit } from '#store/audit'
import { batches } from '#store/batches'
import { users } from '#store/users'
import type { Upload } from '#http/receive.ts'
import { addRows } from './apply.ts'
import { clearNumber, isNumberField } from './cells.ts'
import { keepFile } from './file.ts'
import { fieldsOf, isUnderWay, isUnderWayState, records, stateOf, type StoredImport, summaryOf } from './records.ts'
import { forgetPlans, IMPORT_JOB } from './work.ts'

/** How many imports of one user may be queued, or being read or checked. */
const MAX_OPEN = 5
/** Number of refused rows read at a time. */
const PAGE_SIZE = 500

export const imports = {
  /** Receives a file and queues reading it. Throws 403 without permission to create or edit what it contains. */
  create: async (receive: () => Promise<Upload>, actor: Actor) => {
    const { stream, filename, fields, allFields, length } = await receive()
    try {
      if (fields.entityType !== undefined) typeFor(fields.entityType, actor)
      const id = await records.add('Media', filename, actor)
      try {
        const size = await keepFile(id, stream, length)
        const named = (await allFields()).entityType
        await transactionAs(actor, async (tx, current) => {
          const entityType = typeFor(named, current)
          await records.set(tx, id, { entityType, size, state: 'reading' })
          await begin(tx, id, actor)
        })
      } catch (error) {
        // If it was deleted meanwhile, that caused the error: respond with 404 instead.
        if (!(error instanceof Refusal)) await records.visible(db, id, actor)
        await records.delete(id)
        throw error
      }
      await records.deleteOldest(actor._id)
      return await imports.shown(id, actor)
    } finally {
      stream.destroy()
    }
  },

  /** A page of the imports that `actor` may see, newest first. */
  list: async (query: Query<typeof importsApi.list>, actor: Actor) => {
    const { data, pagination } = await records.list(query, actor)
    const rollbacks = await batches.rollbacksOf(data.flatMap(({ batch }) => batch ?? []))
    return { data: data.map((each) => ({ ...each, rollback: rollbacks.get(each.batch ?? '') ?? null })), pagination }
  },

  /** Throws 404 if it does not exist, or `actor` may not see it. */
  visible: (id: string, actor: Actor) => records.visible(db, id, actor),

  /** Like `visible`, but also throws 403 if `actor` may write none of its rows. */
  authorize: async (id: string, actor: Actor): Promise<void> =>
    authorizeType((await records.visible(db, id, actor)).entityType, actor),

  shown: async (id: string, actor: Actor) => records.shown(await records.visible(db, id, actor)),

  /** An import with a page of its rows. */
  find: async (id: string, query: Query<typeof importsApi.find>, actor: Actor) => {
    const row = await records.visible(db, id, actor)
    const { page, limit, outcome } = query
    const rows = await records.rows(row, query)
    return {
      ...(await records.shown(row)),
      rows,
      pagination: { total: outcome ? row[outcome] : row.total, page, limit },
    }
  },

  /** Yields an import now and after every change, until nothing is in progress. Throws 404 like `find`. */
  follow: async function* followImport(id: string, actor: Actor, signal: AbortSignal): AsyncGenerator<ImportEvent> {
    const find = async () => summaryOf(await records.visible(db, id, actor))
    const isEnded = ({ state }: { state: ImportState }) => !isUnderWayState(state)
    for await (const data of follow(find, isEnded, signal)) yield { event: 'import', id, data }
  },

  /** Checks all rows again with another mapping. Throws 400 for unknown columns and fields. */
  map: (id: string, { mapping, emptyCells }: Body<typeof importsApi.map>, caller: Actor, base?: number) =>
    checkAgain(id, caller, base, async (tx, row) => {
      checkMapping(row, mapping)
      const complete = Object.fromEntries(
        row.columns.map(({ header }) => [header, (Object.hasOwn(mapping, header) && mapping[header]) || null]),
      )
      await records.set(tx, id, { mapping: complete, emptyCells })
      await remember(tx, row, complete)
    }),

  /**
   * Replaces cells, and checks all rows again. Throws 400 for unknown columns, and for unknown or unreadable rows; 429
   * like other writes.
   */
  correct: (id: string, { corrections }: Body<typeof importsApi.correct>, caller: Actor, base?: number) =>
    checkAgain(id, caller, base, async (tx, row, actor) => {
      // They can make the rows larger than any file.
      await countWrite(tx, actor, corrections)
      await correctCells(tx, row, corrections)
    }),

  /**
   * Starts a batch that writes the checked rows. Throws 409 unless all are checked, or if it has been applied; 403 if
   * the actor may write none of them any more, who can then apply it once that has changed.
   */
  apply: (id: string, { duplicates }: Body<typeof importsApi.apply>, caller: Actor): Promise<{ batch: string }> =>
    transactionAs(caller, async (tx, actor) => {
      const row = await lockedRow(tx, id, actor)
      refuseApplied(row)
      authorizeType(row.entityType, actor)
      if (row.state !== 'ready') throw new Refusal(409, 'unready', reasonText('importUnready'))
      const outcomes: ImportOutcome[] = ['new', 'changed', ...(duplicates === 'write' ? (['duplicates'] as const) : [])]
      const total = outcomes.reduce((sum, outcome) => sum + row[outcome], 0)
      const entityType = row.entityType === 'Translation' ? null : row.entityType
      const change = { import: id, filename: row.filename, duplicates }
      const batch = await batches.begin(tx, { what: 'import', entityType, change }, total, actor)
      await addRows(tx, batch, row, outcomes)
      await records.set(tx, id, { batch })
      return { batch }
    }),

  /** Cancels what is in progress. Throws 409 if nothing is. */
  cancel: async (id: string, actor: Actor) => {
    const { batch } = await transactionAs(actor, async (tx, current) => {
      const row = await records.visible(tx, id, current)
      if (!isUnderWay(row)) throw new Refusal(409, 'ended', reasonText('importEnded'))
      if (row.batch === null && row.job !== null) await cancel(tx, row.job)
      // Once it is applied, its batch records that.
      if (row.batch === null && row.userId !== current._id)
        audit.record(tx, {
          action: 'settings.jobChanged',
          actor: current,
          details: { what: 'cancel', kind: IMPORT_JOB },
        })
      return row
    })
    if (batch !== null) await batches.cancel(batch, actor)
    return imports.shown(id, actor)
  },

  /** Deletes an import and its rows; what it wrote stays. Throws 409 while it is in progress. */
  remove: (id: string, caller: Actor): Promise<void> =>
    transactionAs(caller, async (tx, actor) => {
      if (isUnderWay(await lockedRow(tx, id, actor))) throw new Refusal(409, 'busy', reasonText('importBusy'))
      await records.delete(id, tx)
    }),

  /** The refused rows as a CSV table with the file's headers and the reason for each. */
  refused: async (id: string, actor: Actor) => {
    const row = await records.visible(db, id, actor)
    return { filename: 'refused.csv', type: 'text/csv', parts: tableOf(row) }
  },

  deleteExpired: records.deleteExpired,
}

/** The declared type of a file. Throws 403 if the actor may not write any of it. */
function typeFor(name: string | undefined, actor: Actor): ImportType {
  const type = IMPORT_TYPES.find((each) => each === name)
  if (!type) return invalid([fieldError('entityType', 'form')], reasonText('importKind'))
  authorizeType(type, actor)
  return type
}

/** Throws 403 if the actor may write nothing of this type. */
function authorizeType(type: ImportType, actor: Actor): void {
  const verdicts =
    type === 'Translation'
      ? TRANSLATED_KINDS.map((kind) => checkPermission(actor, 'edit', kind, actor._id))
      : [checkPermission(actor, 'create', type), checkPermission(actor, 'edit', type, actor._id)]
  enforceAny(verdicts)
}

/** A route guard: only users who may write in the catalogue may upload files. */
export const guardUpload = ({ actor }: { actor: Actor }): void => enforce(mayImport(actor))

/**
 * Queues a job that reads an import or checks its rows. Throws 429 if the user has too many unfinished ones, or like
 * other writes: the rows of jobs stay for weeks.
 */
async function begin(tx: Transaction, id: string, actor: Actor, total = 0): Promise<void> {
  const lane = `imports of ${actor._id}`
  if ((await unfinishedIn(tx, lane)) >= MAX_OPEN)
    throw new Refusal(429, 'tooManyImports', reasonText('importsMany', { limit: MAX_OPEN }))
  const job = { id: newId(), kind: IMPORT_JOB, payload: { import: id }, lane, total }
  await countWrite(tx, actor, job)
  await enqueue(tx, job)
  await records.set(tx, id, { job: job.id })
}

/**
 * Has the rows of an import checked again after a `change`. Throws 409 if it is being read, or has been applied; 403 if
 * the actor may write none of them any more; 412 if its columns or cells were changed since the version `base`.
 */
async function checkAgain(
  id: string,
  caller: Actor,
  base: number | undefined,
  change: (tx: Transaction, row: StoredImport, actor: Actor) => Promise<void>,
): Promise<Import> {
  await transactionAs(caller, async (tx, actor) => {
    const row = await lockedRow(tx, id, actor)
    refuseApplied(row)
    authorizeType(row.entityType, actor)
    // All of its rows have been read if their number is known.
    if (row.total === 0) throw new Refusal(409, 'busy', reasonText('importBusy'))
    requireVersion(base, row)
    await change(tx, row, actor)
    if (row.state === 'checking' && row.job !== null) await cancel(tx, row.job)
    await forgetPlans(tx, id)
    await records.set(tx, id, { state: 'checking', reason: null, version: row.version + 1 })
    await begin(tx, id, actor, row.total)
  })
  return imports.shown(id, caller)
}

async function lockedRow(tx: Transaction, id: string, actor: Actor): Promise<StoredImport> {
  await locked(tx.selectFrom('imports').select('_id').where('_id', '=', id)).execute()
  return records.visible(tx, id, actor)
}

function refuseApplied(row: StoredImport): void {
  if (row.batch === null) return
  const isBusy = stateOf(row) === 'applying'
  throw new Refusal(409, isBusy ? 'busy' : 'applied', reasonText(isBusy ? 'importBusy' : 'importApplied'))
}

function checkMapping({ entityType, columns }: StoredImport, mapping: ImportMapping): void {
  const headers = new Set(columns.map(({ header }) => header))
  const fields = fieldsOf(entityType)
  const taken = new Set<string>()
  const faults = Object.entries(mapping).flatMap(([header, path]) => {
    const fault = (reason: 'importHeader' | 'importField' | 'importFieldTwice') => [
      { path: `mapping.${header}`, message: reasonText(reason) },
    ]
    if (!headers.has(header)) return fault('importHeader')
    if (path === null) return []
    if (!isImportField(entityType, fields, path)) return fault('importField')
    if (taken.has(path)) return fault('importFieldTwice')
    taken.add(path)
    return []
  })
  if (faults.length > 0) invalid(faults)
}

async function correctCells(tx: Transaction, { _id, columns }: StoredImport, corrections: Correction[]): Promise<void> {
  const places = new Map(columns.map(({ header }, at) => [header, at]))
  const lines = [...new Set(corrections.map(({ row }) => row))]
  const stored = await tx
    .selectFrom('importRows')
    .select(['seq', 'line', 'cells', 'numbers'])
    .where('import', '=', _id)
    .where('line', 'in', lines)
    .where('fault', 'is', null)
    .execute()
  const rows = new Map(stored.map((row) => [row.line, row]))
  const faults: FieldError[] = []
  for (const [at, { row, header, text }] of corrections.entries()) {
    const found = rows.get(row)
    const [cells, place] = [found?.cells, places.get(header)]
    if (!cells) faults.push({ path: `corrections.${at}.row`, message: reasonText('importRow') })
    if (place === undefined) faults.push({ path: `corrections.${at}.header`, message: reasonText('importHeader') })
    if (!found || !cells || place === undefined) continue
    // A row may have fewer cells than there are columns.
    while (cells.length < place) cells.push('')
    cells[place] = text
    found.numbers = found.numbers?.filter((each) => each !== place) ?? null
  }
  if (faults.length > 0) invalid(faults)
  for (const { seq, cells, numbers } of rows.values())
    send(tx, tx.updateTable('importRows').set({ cells, numbers }).where('import', '=', _id).where('seq', '=', seq))
}

/** Remembers the mapping of columns by header, unless its user is permanently deleted; of very many headers, the latest. */
async function remember(tx: Transaction, { userId, entityType }: StoredImport, mapping: ImportMapping): Promise<void> {
  if (!(await users.row(userId, tx))) return
  const row = await tx
    .selectFrom('importMappings')
    .select('mapping')
    .where('userId', '=', userId)
    .where('entityType', '=', entityType)
    .executeTakeFirst()
  const others = Object.entries(row?.mapping ?? {}).filter(([header]) => !Object.hasOwn(mapping, header))
  const all = Object.fromEntries([...others, ...Object.entries(mapping)].slice(-MAX_IMPORT_COLUMNS))
  await tx
    .insertInto('importMappings')
    .values({ userId, entityType, mapping: all })
    .onConflict((conflict) => conflict.columns(['userId', 'entityType']).doUpdateSet({ mapping: all }))
    .execute()
}

async function* tableOf(given: StoredImport): AsyncGenerator<string> {
  const { _id: id, entityType, columns, mapping, isGuarded, separator } = given
  // A spreadsheet that wrote semicolons expects them, and numbers must mean the same when the table is sent again.
  const line = (cells: string[]): string => csvLine(cells, separator === ';' ? ';' : ',')
  const areNumbers = columns.map(({ header }) => isNumberField(entityType, mapping[header] ?? ''))
  yield line([...columns.map(({ header }) => header), REASON_HEADER])
  for (let after = -1; ;) {
    const rows = await records.refused(id, after, PAGE_SIZE)
    const last = rows.at(-1)
    if (!last) return
    const textOf = (cell = ''): string => (isGuarded ? unescapeFormula(cell) : cell)
    const numberOf = (cell = ''): string => (separator === ';' ? clearNumber(cell) : cell)
    yield rows
      .map(({ cells, numbers, reason }) => {
        const texts = cells.map((cell, at) => (areNumbers[at] && numbers?.includes(at) ? numberOf(cell) : textOf(cell)))
        return line([...columns.map((_, at) => texts[at] ?? ''), reason ?? ''])
      })
      .join('')
    after = last.seq
  }
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type Import,
  IMPORT_DAYS,
  type ImportOutcome,
  type ImportRow,
  type ImportState,
  type ImportSummary,
  type ImportType,
  MAX_IMPORT_BYTES,
  MAX_KEPT_IMPORTS,
  MAX_SHOWN_CHARS,
  TRANSLATION_FIELDS,
} from '@mokuroku/contract/imports'
import { kindOf, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import type { Actor } from '#access/permissions.ts'
import { db, type Reader, type Transaction } from '#database/db.ts'
import { deleteRows } from '#database/deleteRows.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import type { Row } from '#ledger/definition.ts'
import { splitBySize } from '#ledger/pages.ts'
import { definitionOf } from '#ledger/registry.ts'
import { notFound } from '#lib/errors.ts'
import { cleanFilename } from '#lib/filename.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { languages } from '#store/languages'
import { isUnfinishedState } from '#jobs/work.ts'

type ImportTable = Tables['imports']
type JobState = Tables['jobs']['state']
/** An import with the progress of the batch that applies it. */
export type StoredImport = ImportTable & {
  batchState: JobState | null
  batchDone: number | null
  batchTotal: number | null
}

/** The counts of an import before any row is checked. */
export const NO_COUNTS = { new: 0, changed: 0, unchanged: 0, refused: 0, duplicates: 0 }

/** The state of an import; once it is applied, that of its batch. */
export function stateOf({ state, batch, batchState }: StoredImport): ImportState {
  if (batch === null) return state
  if (isUnfinishedState(batchState)) return 'applying'
  // The batch is deleted after a while.
  return batchState ?? 'done'
}

export const records = {
  /** Adds an import before its file is received. Its state is 'failed' until the file is complete. */
  add: async (entityType: ImportType, filename: string, actor: Actor): Promise<string> => {
    const _id = newId()
    const expiresAt = momentIn(IMPORT_DAYS * DAY_MS)
    const none = { ...NO_COUNTS, total: 0, reason: null, job: null, batch: null, version: 1 }
    await db
      .insertInto('imports')
      .values({
        _id,
        entityType,
        filename: cleanFilename(filename),
        size: 0,
        state: 'failed',
        columns: [],
        mapping: {},
        emptyCells: 'keep',
        isGuarded: false,
        separator: '',
        ...none,
        userId: actor._id,
        username: actor.username,
        createdAt: now(),
        expiresAt,
      })
      .execute()
    return _id
  },

  /**
   * Deletes a user's oldest imports beyond the number that is kept, except those in progress. Those whose file is still
   * being received, which may be refused, do not count.
   */
  deleteOldest: async (userId: string): Promise<void> => {
    const rows = await stored(db)
      .where('imports.userId', '=', userId)
      .where('imports.job', 'is not', null)
      .orderBy('imports.createdAt', 'desc')
      .orderBy('imports._id', 'desc')
      .offset(MAX_KEPT_IMPORTS)
      .limit(MAX_KEPT_IMPORTS)
      .execute()
    for (const row of rows) if (!isUnderWay(row)) await records.delete(row._id)
  },

  delete: async (id: string, tx: Transaction | typeof db = db): Promise<void> => {
    for (const table of ['importKeys', 'importPlans', 'importRows'] as const)
      await deleteRows(tx, table, ['import', '=', id])
    await tx.deleteFrom('imports').where('_id', '=', id).execute()
  },

  /** Deletes expired imports. What they wrote stays, and can be rolled back. */
  deleteExpired: async (): Promise<void> => {
    const rows = await stored(db).where('imports.expiresAt', '<', now()).limit(MAX_EXPIRED).execute()
    for (const row of rows) if (!isUnderWay(row)) await records.delete(row._id)
  },

  row: (from: Reader, id: string): Promise<StoredImport | undefined> =>
    stored(from).where('imports._id', '=', id).executeTakeFirst(),

  /** Throws 404 if it does not exist, or `actor` may not see it. */
  visible: async (from: Reader, id: string, actor: Actor): Promise<StoredImport> => {
    const row = await records.row(from, id)
    return row && (actor.role === 'admin' || row.userId === actor._id) ? row : notFound('Import')
  },

  list: async ({ page, limit }: { page: number; limit: number }, actor: Actor) => {
    const own = actor.role === 'admin' ? undefined : actor._id
    const rows = await stored(db)
      .$if(own !== undefined, (query) => query.where('imports.userId', '=', own ?? ''))
      .orderBy('imports.createdAt', 'desc')
      .orderBy('imports._id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const { total } = await db
      .selectFrom('imports')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .$if(own !== undefined, (query) => query.where('userId', '=', own ?? ''))
      .executeTakeFirstOrThrow()
    return { data: rows.map(summaryOf), pagination: { total, page, limit } }
  },

  /** An import with the fields that its columns can be mapped to. */
  shown: async (row: StoredImport): Promise<Import> => {
    const { version, columns, mapping, emptyCells } = row
    return { ...summaryOf(row), version, columns, mapping, emptyCells, fields: await fieldsFor(row) }
  },

  /** A page of the rows of an import, with one outcome or all. */
  rows: async (
    row: StoredImport,
    { page, limit, outcome }: { page: number; limit: number; outcome?: ImportOutcome | undefined },
  ): Promise<ImportRow[]> => {
    // The numbers of the page come from an index, so that only its own rows are read and joined.
    const seqs = db
      .selectFrom((outcome ? 'importPlans' : 'importRows') as 'importPlans')
      .select('seq')
      .where('import', '=', row._id)
      .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'new'))
      .orderBy('seq')
      .limit(limit)
      .offset((page - 1) * limit)
    const ofPage = sizesFrom(row._id).where('seq', 'in', (each) => each.selectFrom(seqs.as('page')).select('seq'))
    const found = []
    for (const some of splitBySize(await ofPage.execute())) {
      const rows = await rowsFrom(row._id).where('importRows.seq', 'in', some).execute()
      found.push(...rows.map((each) => ({ ...each, cells: each.cells.map(shown) })))
      // Let waiting requests run in between.
      await yieldToEventLoop()
    }
    const kindOfRow = (plan: { entityType: Translated | null }): Translated | null =>
      row.entityType === 'Translation' ? plan.entityType : row.entityType
    const titles = new Map<string, string>()
    for (const [kind, some] of Map.groupBy(found, kindOfRow))
      for (const [id, title] of kind
        ? await titlesOf(
            kind,
            some.flatMap(({ matchId }) => matchId ?? []),
          )
        : [])
        titles.set(id, title)
    return found.map(({ line, cells, outcome: of, matchId, matchLine, changes, reason, errors, entityType }) => ({
      row: line,
      outcome: of ?? '',
      cells: Object.fromEntries(row.columns.map(({ header }, at) => [header, cells[at] ?? ''])),
      reason,
      errors: errors ?? [],
      _id: matchId,
      kind: matchId === null ? null : kindOfRow({ entityType }),
      match: matchId === null ? null : (titles.get(matchId) ?? null),
      matchRow: matchLine,
      changes: changes ?? [],
    }))
  },

  /** The next rows after one that are not checked yet, in order: up to `limit`, fewer if they are large. */
  next: async (id: string, after: number, limit: number): Promise<Tables['importRows'][]> => {
    const [first] = splitBySize(await sizesFrom(id).where('seq', '>', after).limit(limit).execute())
    if (!first) return []
    const rows = db.selectFrom('importRows').selectAll().where('import', '=', id).where('seq', 'in', first)
    return rows.orderBy('seq').execute()
  },

  /** The refused rows after one, in order: up to `limit`, fewer if they are large. */
  refused: async (id: string, after: number, limit: number) => {
    const refused = db
      .selectFrom('importPlans')
      .select('seq')
      .where('import', '=', id)
      .where('outcome', '=', 'refused')
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(limit)
    const sizes = sizesFrom(id).where('seq', 'in', (each) => each.selectFrom(refused.as('page')).select('seq'))
    const [first] = splitBySize(await sizes.execute())
    return first ? rowsFrom(id).where('importRows.seq', 'in', first).execute() : []
  },

  set: async (tx: Transaction, id: string, changes: Partial<ImportTable>): Promise<void> => {
    await tx.updateTable('imports').set(changes).where('_id', '=', id).execute()
  },
}

const shown = (cell: string): string =>
  cell.length > MAX_SHOWN_CHARS ? `${cell.slice(0, MAX_SHOWN_CHARS - 1).toWellFormed()}…` : cell

/** Number of imports deleted at a time. */
const MAX_EXPIRED = 1000

const stored = (from: Reader) =>
  from
    .selectFrom('imports')
    .leftJoin('jobs', 'jobs._id', 'imports.batch')
    .selectAll('imports')
    .select(['jobs.state as batchState', 'jobs.done as batchDone', 'jobs.total as batchTotal'])

/** The numbers of rows with the sizes of their cells, in order; the sizes are known without reading. */
const sizesFrom = (id: string) =>
  db
    .selectFrom('importRows')
    .select(({ fn }) => ['seq as id', fn<number>('octet_length', ['cells']).as('bytes')])
    .where('import', '=', id)
    .orderBy('seq')

const rowsFrom = (id: string) =>
  db
    .selectFrom('importRows')
    .leftJoin('importPlans', (join) =>
      join.onRef('importPlans.import', '=', 'importRows.import').onRef('importPlans.seq', '=', 'importRows.seq'),
    )
    .select(['importRows.seq', 'importRows.line', 'importRows.cells', 'importRows.numbers'])
    .select([
      'importPlans.outcome',
      'importPlans.entityType',
      'importPlans.matchId',
      'importPlans.matchLine',
      'importPlans.changes',
    ])
    .select(['importPlans.reason', 'importPlans.errors'])
    .where('importRows.import', '=', id)
    .orderBy('importRows.seq')

/** Whether a job or a batch for it is running or queued. */
export const isUnderWay = (row: StoredImport): boolean => isUnderWayState(stateOf(row))
export const isUnderWayState = (state: ImportState): boolean => ['reading', 'checking', 'applying'].includes(state)

export function summaryOf(row: StoredImport): ImportSummary {
  const { _id, entityType, filename, size, total, reason, batch, userId, username, createdAt, expiresAt } = row
  const counts = {
    new: row.new,
    changed: row.changed,
    unchanged: row.unchanged,
    refused: row.refused,
    duplicates: row.duplicates,
  }
  return {
    _id,
    entityType,
    filename,
    size: Math.min(size, MAX_IMPORT_BYTES),
    state: stateOf(row),
    progress: progressOf(row),
    counts,
    total,
    reason,
    batch,
    createdBy: { _id: userId, username },
    createdAt,
    expiresAt,
  }
}

function progressOf(row: StoredImport): ImportSummary['progress'] {
  const state = stateOf(row)
  if (state === 'applying') return { done: row.batchDone ?? 0, total: row.batchTotal ?? 0 }
  if (state !== 'checking') return null
  return { done: row.new + row.changed + row.unchanged + row.refused + row.duplicates, total: row.total }
}

/** The paths that columns can be mapped to: in all languages in use, and those already mapped to. */
async function fieldsFor({ entityType, mapping }: StoredImport): Promise<string[]> {
  const paths = await pathsOf(entityType)
  return [...new Set([...paths, ...Object.values(mapping).filter((path) => path !== null)])]
}

/** The fields of the rows of a file, without languages. */
export const fieldsOf = (type: ImportType): readonly string[] =>
  type === 'Translation' ? TRANSLATION_FIELDS : definitionOf(type).fields

/** The paths of a type's fields, in the languages in use. */
async function pathsOf(type: ImportType): Promise<string[]> {
  if (type === 'Translation') return TRANSLATION_FIELDS
  const tags = await usedLanguages()
  const texts = kindOf(type).texts?.fields ?? []
  return [
    '_id',
    ...definitionOf(type).fields.flatMap((name) =>
      name === 'translations' ? tags.flatMap((tag) => texts.map((text) => `translations.${tag}.${text}`)) : [name],
    ),
  ]
}

/** The languages in use, wanted ones first. */
export const usedLanguages = async (): Promise<string[]> => (await languages.list()).map(({ tag }) => tag)

async function titlesOf(kind: Translated, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(TABLES[kind])
    .selectAll()
    .where('_id', 'in', ids)
    .where('deletedAt', 'is', null)
    .execute()
  const definition = definitionOf(kind)
  return new Map((rows as unknown as Row<Document>[]).map((row) => [row._id, definition.title(row)]))
}

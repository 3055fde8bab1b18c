import { isTranslated, type Kind, type Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { reasonText } from '@mokuroku/contract/reasons'
import { advisoryLock, type Reader, send, type Transaction } from '#database/db.ts'
import { inList } from '#database/inList.ts'
import { TABLES, type Tables } from '#database/tables.ts'
import { definitionOf } from '#ledger/registry.ts'
import { entitiesLike, likelyKeys } from '#ledger/titleKeys.ts'
import { planUpdate, writeUpdate } from '#ledger/write.ts'
import { notFound, Refusal } from '#lib/errors.ts'
import { type BatchPlan, batches, type Plan, type StoredBatch } from '#store/batches'
import { nearest, trashReasons } from './plan.ts'

type RowPlan = Tables['importPlans']

/** The number of rows read to add some to a batch with one statement. On SQLite, no other statement can run meanwhile. */
const ROWS_PER_INSERT = 1000

batches.importWith(planOf)

/** The plan of an import's batch: writes exactly what the plans of its rows say, as they were shown. */
function planOf({ entityType: kind, change }: StoredBatch): BatchPlan {
  const id = String(change?.import)
  const skips = change?.duplicates === 'skip' && kind !== null && isTranslated(kind)
  return {
    planOf: async (tx, rows) => {
      const plans = await plansOf(
        tx,
        id,
        rows.map(({ seq }) => seq),
      )
      const matches = skips ? await newDuplicates(tx, id, kind, [...plans.values()]) : undefined
      let reasons = new Map<string, string>()
      const planEach: Plan = async (within, { kind: type, id: entityId, seq }, context) => {
        const plan = plans.get(seq ?? -1) ?? notFound('Import')
        const input = plan.input ?? {}
        const matchId = matches?.get(plan.seq)
        if (matchId !== undefined)
          return {
            outcome: 'unchanged',
            message: reasonText('rowLikely'),
            write: async () => setOutcome(within, id, plan, { outcome: 'duplicates', matchId }),
          }
        if (plan.version === null) return { outcome: 'changed', create: { id: entityId, input, context } }
        const reason = reasons.get(entityId)
        if (reason !== undefined) throw new Refusal(409, 'deleted', reason)
        const definition = definitionOf(type)
        // Changes that others have made since the check are kept; if both changed the same value, the row is refused.
        const planned = await planUpdate<Document>(definition, within, entityId, input, context, plan.version)
        return planned
          ? { outcome: 'changed', write: () => writeUpdate(definition, within, planned, context) }
          : batches.unchanged
      }
      planEach.ahead = async (within) => void (reasons = await absentReasons(within, kind, [...plans.values()]))
      return planEach
    },
    noted: async (tx, results) => {
      await refuse(
        tx,
        id,
        results.filter(({ outcome }) => outcome === 'refused'),
      )
    },
    aheadBytes: (from, ids) => inputBytes(from, id, ids),
  }
}

/** The sizes of the inputs of rows that are written, by the ids of their entities, in bytes. */
async function inputBytes(from: Reader, id: string, entityIds: string[]): Promise<Map<string, number>> {
  const rows = await from
    .selectFrom('importPlans')
    .select(({ fn }) => ['entityId', fn.max<number | null>(fn('octet_length', ['input'])).as('bytes')])
    .where('import', '=', id)
    .where(inList('entityId', entityIds))
    .groupBy('entityId')
    .execute()
  return new Map(rows.map(({ entityId, bytes }) => [entityId ?? '', bytes ?? 0]))
}

async function plansOf(tx: Transaction, id: string, seqs: number[]): Promise<Map<number, RowPlan>> {
  const rows = await tx
    .selectFrom('importPlans')
    .selectAll()
    .where('import', '=', id)
    .where('seq', 'in', seqs)
    .execute()
  return new Map(rows.map((row) => [row.seq, row]))
}

/**
 * The entities that have become likely duplicates of new rows since these were checked, by the number of the row. Other
 * imports that look for them in the same kind wait until the transaction ends: they may be creating the same.
 */
async function newDuplicates(
  tx: Transaction,
  id: string,
  kind: Translated,
  plans: RowPlan[],
): Promise<Map<number, string>> {
  const fresh = plans
    .filter(({ version }) => version === null)
    .map(({ seq, input }) => ({ seq, keys: likelyKeys(kind, input ?? {}) }))
  if (fresh.length === 0) return new Map()
  await advisoryLock(tx, `import of ${kind}`)
  const keys = new Set(fresh.flatMap((each) => each.keys.map(({ key }) => key)))
  const entities = Map.groupBy(await entitiesLike(tx, [...keys], id), ({ key }) => key)
  return new Map(
    fresh.flatMap(({ seq, keys: own }) => {
      const match = nearest(own, entities)
      return match ? [[seq, match.entityId]] : []
    }),
  )
}

/**
 * The reasons why entities that changed rows name cannot be changed since they are in the trash or gone, by id. `kind` is
 * null if the rows are of several kinds.
 */
async function absentReasons(tx: Transaction, kind: Kind | null, plans: RowPlan[]): Promise<Map<string, string>> {
  const reasons = new Map<string, string>()
  const changed = plans.filter(({ version }) => version !== null)
  for (const [type, some] of Map.groupBy(changed, ({ entityType }) => entityType ?? kind)) {
    if (type === null) continue
    const ids = some.flatMap(({ entityId }) => entityId ?? [])
    const rows = await tx.selectFrom(TABLES[type]).select(['_id', 'deletedAt']).where(inList('_id', ids)).execute()
    const present = new Set(rows.map(({ _id }) => _id))
    const unknown = reasonText(kind === null ? 'rowNoEntry' : 'rowUnknown')
    for (const id of ids) if (!present.has(id)) reasons.set(id, unknown)
    for (const [id, reason] of await trashReasons(tx, rows)) reasons.set(id, reason)
  }
  return reasons
}

/** Marks rows that could not be written as refused, so that they can be corrected and sent again. */
async function refuse(tx: Transaction, id: string, refused: { seq: number; message?: string | null }[]): Promise<void> {
  if (refused.length === 0) return
  const rows = await tx
    .selectFrom('importPlans')
    .select(['seq', 'outcome'])
    .where('import', '=', id)
    .where(
      'seq',
      'in',
      refused.map(({ seq }) => seq),
    )
    .execute()
  const plans = new Map(rows.map((row) => [row.seq, row]))
  for (const { seq, message = null } of refused) {
    const plan = plans.get(seq)
    if (plan && plan.outcome !== 'refused') setOutcome(tx, id, plan, { outcome: 'refused', reason: message })
  }
}

/** Changes the outcome of a row, and counts it there. */
function setOutcome(
  tx: Transaction,
  id: string,
  { seq, outcome: before }: Pick<RowPlan, 'seq' | 'outcome'>,
  changes: Pick<RowPlan, 'outcome'> & Partial<RowPlan>,
): void {
  send(tx, tx.updateTable('importPlans').set(changes).where('import', '=', id).where('seq', '=', seq))
  const counted = tx.updateTable('imports').where('_id', '=', id)
  send(
    tx,
    counted.set((set) => ({ [before]: set(before, '-', 1), [changes.outcome]: set(changes.outcome, '+', 1) })),
  )
}

/** Adds the rows of a batch: those to be written, in the order of the file. */
export async function addRows(
  tx: Transaction,
  batch: string,
  { _id: id, entityType }: Pick<Tables['imports'], '_id' | 'entityType'>,
  outcomes: RowPlan['outcome'][],
): Promise<void> {
  const plans = tx.selectFrom('importPlans').where('import', '=', id)
  const { last } = await plans.select(({ fn }) => fn.max<number | null>('seq').as('last')).executeTakeFirstOrThrow()
  for (let seq = 0; seq <= (last ?? -1); seq += ROWS_PER_INSERT)
    await tx
      .insertInto('batchRows')
      .columns(['batch', 'seq', 'entityType', 'entityId', 'outcome'])
      .expression(
        plans
          .select(({ val, ref, cast, fn }) => [
            cast<string>(val(batch), 'text').as('batch'),
            'seq',
            // If the rows are of several kinds, each plan has its own.
            fn.coalesce('entityType', cast<Translated>(val(entityType), 'text')).as('entityType'),
            ref('entityId').$notNull().as('entityId'),
            cast<''>(val(''), 'text').as('outcome'),
          ])
          .where('outcome', 'in', outcomes)
          .where('seq', '>=', seq)
          .where('seq', '<', seq + ROWS_PER_INSERT)
          .orderBy('seq'),
      )
      .execute()
}

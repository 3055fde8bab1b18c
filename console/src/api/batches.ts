import { type Batch, batchesApi } from '@mokuroku/contract/batches'
import { type BulkBody, bulkOf, type BulkPreview } from '@mokuroku/contract/bulk'
import type { Translated } from '@mokuroku/contract/kinds'
import { isUncertain } from '#lib/errorStatus.ts'
import { call } from './call.ts'
import { followWork, useWork } from './progress.ts'

type Begun = { batch: string }

/** Previews a bulk change of a kind; nothing is written. */
export const previewBulk = async (kind: Translated, body: Omit<BulkBody, 'dryRun'>): Promise<BulkPreview> =>
  (await call(bulkOf(kind), { body: { ...body, dryRun: true } })) as BulkPreview

/**
 * Starts a bulk change of a kind and returns the id of its batch. Throws ApiError, as `call` does. Repeated with the same
 * `key` after a lost response, it starts no second batch: a form needs a new key each time it is opened, since by then
 * the entries may have been changed back.
 */
export const startBulk = async (kind: Translated, body: Omit<BulkBody, 'dryRun'>, key: string): Promise<string> =>
  ((await call(bulkOf(kind), { body, key })) as Begun).batch

/** Previews the rollback of a batch; nothing is written. */
export const previewRollback = async (id: string, reason: string): Promise<BulkPreview> =>
  (await call(batchesApi.rollback, { id, body: { reason, dryRun: true } })) as BulkPreview

/** Batches whose rollback may have started although its response was lost. */
const unsure = new Set<string>()

/**
 * Starts the rollback of a batch and returns the id of the new batch: after a lost response that of the rollback that
 * it started, because a second one would find nothing to do.
 */
export async function startRollback(id: string, reason: string): Promise<string> {
  const started = unsure.has(id) ? await startedRollback(id) : undefined
  if (started !== undefined) return started
  try {
    return ((await call(batchesApi.rollback, { id, body: { reason } })) as Begun).batch
  } catch (error) {
    if (!isUncertain(error)) throw error
    unsure.add(id)
    const other = await startedRollback(id).catch(() => undefined)
    if (other === undefined) throw error
    return other
  }
}

/** The id of a rollback that is running or complete. What a partial one has left may be rolled back again. */
async function startedRollback(id: string): Promise<string | undefined> {
  const batch = await call(batchesApi.find, { id })
  return rollbackState(batch) === 'partial' ? undefined : batch.rollback?._id
}

/** Rolls back a batch, and returns the rollback when it has ended. */
export async function rollBack(id: string, reason: string): Promise<Batch> {
  const started = await startRollback(id, reason)
  return new Promise((resolve, reject) => {
    const onState = (batch: Batch) => isEnded(batch) && resolve(batch)
    followWork(BATCHES, started, onState, undefined, reject)
  })
}

/** Whether a batch is in a final state. */
export const isEnded = ({ state }: Pick<Batch, 'state'>): boolean => state !== 'queued' && state !== 'running'

/** Whether a batch is being rolled back, or was, as a whole or in part. Undefined if not. */
export function rollbackState({ rollback }: Pick<Batch, 'rollback'>): 'running' | 'partial' | 'complete' | undefined {
  if (!rollback) return undefined
  if (!isEnded(rollback)) return 'running'
  return rollback.state === 'done' && rollback.refused === 0 ? 'complete' : 'partial'
}

/** Whether a batch has changed something that can still be rolled back. */
export const canRollBack = (batch: Batch): boolean =>
  isEnded(batch) && batch.changed > 0 && [undefined, 'partial'].includes(rollbackState(batch))

/**
 * The rollback of a batch, followed while it runs; null without one. With `started`, the id of a rollback that was just
 * started, that one: undefined until its state is known.
 */
export function useRollback(batch: Batch | undefined, started?: string): Batch['rollback'] | undefined {
  const { rollback = null } = batch ?? {}
  const followed = useBatch(started ?? (rollback && !isEnded(rollback) ? rollback._id : undefined))
  return followed ?? (started === undefined ? rollback : undefined)
}

const BATCHES = {
  stream: batchesApi.stream,
  find: (id: string, signal: AbortSignal) => call(batchesApi.find, { id, signal }),
  isEnded,
}

/** A batch, followed until it ends. Undefined until its state is known, and without an id. */
export const useBatch = (id: string | undefined): Batch | undefined => useWork(BATCHES, id)

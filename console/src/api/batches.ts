import { type Batch, batchesApi } from '@mokuroku/contract/batches'
import { type BulkBody, bulkOf, type BulkPreview } from '@mokuroku/contract/bulk'
import { ApiError } from '@mokuroku/contract/call'
import type { Translated } from '@mokuroku/contract/kinds'
import { useEffect, useState } from 'react'
import { call } from './call.ts'
import { wrote } from './queryClient.ts'
import { followStream, stream } from './stream.ts'

type Begun = { batch: string }

/** Previews a bulk change of a kind; nothing is written. */
export const previewBulk = async (kind: Translated, body: Omit<BulkBody, 'dryRun'>): Promise<BulkPreview> =>
  (await call(bulkOf(kind), { body: { ...body, dryRun: true } })) as BulkPreview

/** Starts a bulk change of a kind and returns the id of its batch. Throws ApiError, as `call` does. */
export const startBulk = async (kind: Translated, body: Omit<BulkBody, 'dryRun'>): Promise<string> =>
  ((await call(bulkOf(kind), { body })) as Begun).batch

/** Previews the rollback of a batch; nothing is written. */
export const previewRollback = async (id: string, reason: string): Promise<BulkPreview> =>
  (await call(batchesApi.rollback, { id, body: { reason, dryRun: true } })) as BulkPreview

/** Starts the rollback of a batch and returns the id of the new batch. */
export const startRollback = async (id: string, reason: string): Promise<string> =>
  ((await call(batchesApi.rollback, { id, body: { reason } })) as Begun).batch

/** Rolls back a batch, and returns the rollback when it has ended. */
export async function rollBack(id: string, reason: string): Promise<Batch> {
  const started = await startRollback(id, reason)
  for (;;) {
    try {
      for await (const { data } of stream(batchesApi.stream, { id: started })) if (isEnded(data)) return data
    } catch (error) {
      // A connection that broke: the rollback goes on.
      if (!(error instanceof ApiError && error.status === 0)) throw error
    }
    const batch = await call(batchesApi.find, { id: started })
    if (isEnded(batch)) return batch
  }
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

/**
 * Follows a batch until it ends, then invalidates the queries that it affects. Undefined until its state is known, and
 * without an id.
 */
export function useBatch(id: string | undefined): Batch | undefined {
  const [batch, setBatch] = useState<Batch>()
  useEffect(() => {
    if (id === undefined) return undefined
    const leaving = new AbortController()
    const onEvent = ({ data }: { data: Batch }) => {
      setBatch(data)
      if (!isEnded(data)) return
      wrote(batchesApi.stream)
      leaving.abort()
    }
    followStream(batchesApi.stream, { id }, onEvent, leaving.signal)
    return () => leaving.abort()
  }, [id])
  return batch?._id === id ? batch : undefined
}

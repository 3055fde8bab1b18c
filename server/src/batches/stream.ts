import type { Batch, BatchEvent } from '@mokuroku/contract/batches'
import type { Actor } from '#access/permissions.ts'
import { createBell } from '#jobs/bell.ts'
import { records } from './records.ts'

/** How often what another process works on is looked up, in milliseconds. */
const POLL_MS = 1000

/** A batch as it is, and whenever it has changed, until it has ended or `signal` aborts. Throws 404 as `find` does. */
export async function* followBatch(id: string, actor: Actor, signal: AbortSignal): AsyncGenerator<BatchEvent> {
  const bell = createBell(signal)
  try {
    let seen = ''
    while (!signal.aborted) {
      bell.hush()
      const data = await records.find(id, actor)
      const state = JSON.stringify(data)
      if (state !== seen) yield { event: 'batch', id: `${data.done}`, data }
      seen = state
      if (isEnded(data)) return
      await bell.rung(POLL_MS)
    }
  } finally {
    bell.close()
  }
}

const isEnded = ({ state }: Batch): boolean => state !== 'queued' && state !== 'running'

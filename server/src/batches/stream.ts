import type { Batch, BatchEvent } from '@mokuroku/contract/batches'
import type { Actor } from '#access/permissions.ts'
import { follow } from '#jobs/follow.ts'
import { isUnfinishedState } from '#jobs/work.ts'
import { records } from './records.ts'

/** Yields a batch now and after every change, until it has ended or `signal` aborts. Throws 404 like `find`. */
export async function* followBatch(id: string, actor: Actor, signal: AbortSignal): AsyncGenerator<BatchEvent> {
  for await (const data of follow(() => records.find(id, actor), isEnded, signal))
    yield { event: 'batch', id: `${data.done}`, data }
}

const isEnded = ({ state }: Batch): boolean => !isUnfinishedState(state)

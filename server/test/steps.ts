import { workOf } from '#jobs/work.ts'
import { BATCH_JOB } from '../src/batches/records.ts'

/** Runs a batch that no worker runs, and returns how many entities it wrote in each transaction. */
export async function stepsOf(batch: string): Promise<number[]> {
  const steps: number[] = []
  const hold = async (_: unknown, done = 0) => void steps.push(done)
  const { signal } = new AbortController()
  await workOf(BATCH_JOB)?.run({ _id: batch, payload: {}, signal, hold })
  return steps
}

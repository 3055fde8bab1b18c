// The queue metrics of `GET /metrics`.
import { db } from '#database/db.ts'
import { cached, counter, duration, gauge } from '#lib/metrics.ts'
import { UNFINISHED } from './work.ts'
import { queueLag } from './queue.ts'

const runs = counter('job_runs_total', 'Jobs worked on by this process, by how it went', ['kind', 'outcome'])
const durations = duration('job_duration_seconds', 'How long this process worked on a job, in seconds', ['kind'])

/** How a run of a job ended. */
export type Outcome = 'done' | 'failed' | 'lost' | 'stopped'

/** Measures the run of a job; call the returned function with its outcome. */
export function measureJob(kind: string): (outcome: Outcome) => void {
  const stop = durations.startTimer({ kind })
  return (outcome) => {
    stop()
    runs.inc({ kind, outcome })
  }
}

const unfinished = cached(async () => {
  const rows = await db
    .selectFrom('jobs')
    .select(['kind', 'state'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', 'in', UNFINISHED)
    .groupBy(['kind', 'state'])
    .execute()
  return rows.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count }))
})
gauge('jobs_unfinished', 'Queued and running jobs of all instances', ['kind', 'state'], unfinished)

const lag = cached(async () => [{ value: Math.max(0, (await queueLag()) / 1000) }])
gauge(
  'jobs_lag_seconds',
  'How long the oldest due job has been waiting, in seconds, not counting jobs that wait for an earlier one of their user',
  [],
  lag,
)

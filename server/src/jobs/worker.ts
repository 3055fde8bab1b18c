import { machineFault } from '#lib/faults.ts'
import { newId } from '#lib/ids.ts'
import { beginRoot, errorType } from '#lib/tracing.ts'
import { transaction } from '#database/db.ts'
import { createJobSignal, publishJobs } from './signal.ts'
import { measureJob, type Outcome } from './meter.ts'
import { settle } from './settle.ts'
import {
  claimNext,
  ClaimLost,
  finish,
  giveUp,
  type JobRow,
  LEASE_MS,
  release,
  renew,
  retry,
  untilNext,
} from './queue.ts'
import { type Job, JobFailed, jobKinds, workOf } from './work.ts'

/** How many jobs a process runs at a time, besides those of kinds that have their own slot. */
const CONCURRENCY = 3
/** How often to check for jobs that other processes have added or left, in milliseconds. */
const POLL_MS = 5000

interface Options {
  /** Called with each error, and the kind of job it happened in: the job is retried. */
  failed: (error: unknown, kind?: string) => void
}

/** Runs jobs of the queue. Returns a function that stops: it waits for running jobs and returns them to the queue. */
export function startWorker({ failed }: Options): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  /** The kinds of the jobs that it runs. */
  const underWay = new Map<Promise<void>, string>()
  /** The kinds of which another job may be started. */
  const kindsWithRoom = (): string[] => {
    const running = [...underWay.values()]
    const hasRoom = running.filter((kind) => !hasOwnSlot(kind)).length < CONCURRENCY
    return jobKinds().filter((kind) => (hasOwnSlot(kind) ? !running.includes(kind) : hasRoom))
  }
  const next = async (): Promise<boolean> => {
    const kinds = kindsWithRoom()
    const job = kinds.length > 0 ? await claimNext(newId(), kinds) : undefined
    if (!job) return false
    const task = traced(job, () => perform(job, signal, failed))
      .catch(failed)
      .finally(() => {
        underWay.delete(task)
        publishJobs()
      })
    underWay.set(task, job.kind)
    return true
  }
  const loop = async (): Promise<void> => {
    const jobSignal = createJobSignal(signal)
    while (!signal.aborted) {
      jobSignal.reset()
      try {
        if (await next()) continue
        const kinds = kindsWithRoom()
        await jobSignal.wait(kinds.length > 0 ? await untilNext(kinds, POLL_MS) : POLL_MS)
      } catch (error) {
        failed(error)
        await jobSignal.wait(POLL_MS)
      }
    }
    jobSignal.close()
    await Promise.all(underWay.keys())
  }
  const looping = loop()
  return () => {
    stopping.abort()
    return looping
  }
}

const hasOwnSlot = (kind: string): boolean => workOf(kind)?.hasOwnSlot === true

/** Each run of a job is a trace of its own, linked to what enqueued it, which may have ended long ago. */
async function traced(job: JobRow, work: () => Promise<Outcome>): Promise<void> {
  const { kind, attempts, traceparent } = job
  const attributes = { 'mokuroku.job.kind': kind, 'mokuroku.job.attempt': attempts }
  const span = beginRoot(`job ${kind}`, { kind: 'consumer', attributes }, { cause: traceparent })
  if (!span) return void (await work())
  try {
    const outcome = await span.within(work)
    span.set({ 'mokuroku.job.outcome': outcome })
    span.end(outcome === 'failed' ? 'failed' : undefined)
  } catch (error) {
    span.end(errorType(error))
    throw error
  }
}

/** Runs one job, renews its lease meanwhile, and records the outcome. */
async function perform(job: JobRow, stopped: AbortSignal, failed: Options['failed']): Promise<Outcome> {
  const lost = new AbortController()
  const signal = AbortSignal.any([stopped, lost.signal])
  const heartbeat = async (): Promise<void> => {
    try {
      await transaction((tx) => renew(tx, job))
    } catch (error) {
      if (error instanceof ClaimLost) lost.abort()
      else failed(error)
    }
  }
  const timer = setInterval(() => void heartbeat(), LEASE_MS / 3).unref()
  const { _id, payload } = job
  const hold: Job['hold'] = async (tx, done, note) => void (await renew(tx, job, done, note))
  const given: Job = { _id, payload, signal, hold }
  const measured = measureJob(job.kind)
  const ended = (outcome: Outcome): Outcome => {
    measured(outcome)
    return outcome
  }
  try {
    const work = workOf(job.kind)
    await work?.run(given)
    const isDone = !stopped.aborted || work?.ignoresSignal === true
    const isOurs = await settle(() => (isDone ? finish(job) : release(job)), stopped)
    return ended(isOurs ? (isDone ? 'done' : 'stopped') : 'lost')
  } catch (error) {
    if (error instanceof ClaimLost) return ended('lost')
    const outcome = ended(stopped.aborted ? 'stopped' : 'failed')
    if (!stopped.aborted) failed(error, job.kind)
    // A shutdown does not wait for an unreachable database.
    else if (machineFault(error)) return outcome
    await settle(() => {
      if (stopped.aborted) return release(job)
      if (error instanceof JobFailed) return giveUp(job, error.message)
      return retry(job, String(error), machineFault(error) !== undefined)
    }, stopped)
    return outcome
  } finally {
    clearInterval(timer)
  }
}

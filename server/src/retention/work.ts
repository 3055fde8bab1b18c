import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { AuditAction } from '@mokuroku/contract/audit'
import { SYSTEM } from '#access/permissions.ts'
import { transaction, type Transaction } from '#database/db.ts'
import type { Job } from '#jobs/work.ts'
import { audit } from '#store/audit'
import { settings } from '#store/settings'
import { deleteActivities } from './activities.ts'
import { DAY_MS, time } from '#lib/clock.ts'
import { deleteVersions } from './versions.ts'

/** What a run has deleted so far: of versions, with the revision to continue after, and of activities. */
const [NO_VERSIONS, NO_ACTIVITIES] = [{ after: '', versions: 0, changes: 0 }, { activities: 0 }]
type Progress = typeof NO_VERSIONS & typeof NO_ACTIVITIES

/** The result of one transaction. */
interface Step {
  deleted: number
  isMore: boolean
  /** What has changed of the progress. */
  next?: Partial<Progress>
}
type Act = (tx: Transaction, before: string, progress: Progress) => Promise<Step>

/**
 * Deletes what is older than the retention settings allow, in small transactions. Each one reads the settings again, so
 * that changing them stops a running deletion. `at` is the current time, in milliseconds.
 */
export async function deleteOld(job: Pick<Job, 'payload' | 'signal' | 'hold'>, at = time()): Promise<void> {
  const progress: Progress = { ...NO_VERSIONS, ...NO_ACTIVITIES, ...job.payload }
  for (const act of [
    olderThanSetting('keepVersionsDays', at, versions, NO_VERSIONS),
    olderThanSetting('keepActivitiesDays', at, activities, NO_ACTIVITIES),
    olderThanSetting('keepAuditDays', at, beginningOfLog),
    truncatedEntries,
  ])
    for (let isMore = true; isMore && !job.signal.aborted;) {
      const step = await transaction(async (tx) => {
        await job.hold(tx, 0)
        const done = await act(tx, progress)
        await job.hold(tx, done.deleted, done.next && { payload: { ...progress, ...done.next } })
        return done
      })
      isMore = step.isMore
      Object.assign(progress, step.next)
      // Let waiting requests run in between: on SQLite, a short transaction gives them no turn.
      await yieldToEventLoop()
    }
}

/**
 * Acts on what is older than a setting allows. If the setting is to keep it forever, only resets the progress, to
 * `start`.
 */
const olderThanSetting =
  (name: keyof Awaited<ReturnType<typeof settings.retention>>, at: number, act: Act, start: Partial<Progress> = {}) =>
  async (tx: Transaction, progress: Progress): Promise<Step> => {
    const days = (await settings.retention(tx))[name]
    if (days === 0) return { deleted: 0, isMore: false, next: start }
    return act(tx, new Date(at - days * DAY_MS).toISOString(), progress)
  }

const versions: Act = async (tx, before, progress) => {
  const { after, ...deleted } = await deleteVersions(tx, before, progress.after)
  const sum = { versions: progress.versions + deleted.versions, changes: progress.changes + deleted.changes }
  if (after !== undefined) return { deleted: deleted.versions, isMore: true, next: { ...sum, after } }
  record(tx, 'trash.versions', { before, count: sum.versions, changes: sum.changes })
  return { deleted: deleted.versions, isMore: false, next: NO_VERSIONS }
}

const activities: Act = async (tx, before, progress) => {
  const deleted = await deleteActivities(tx, before)
  if (deleted > 0) return { deleted, isMore: true, next: { activities: progress.activities + deleted } }
  record(tx, 'trash.activities', { before, count: progress.activities })
  return { deleted, isMore: false, next: NO_ACTIVITIES }
}

const beginningOfLog: Act = async (tx, before) => {
  const deleted = await audit.truncateBefore(tx, before)
  if (deleted) record(tx, 'audit.deleted', deleted)
  return { deleted: 0, isMore: false }
}

async function truncatedEntries(tx: Transaction): Promise<Step> {
  const deleted = await audit.deleteTruncated(tx)
  return { deleted, isMore: deleted > 0 }
}

/** Records in the audit log how many were deleted, if any. */
function record(
  tx: Transaction,
  action: AuditAction,
  details: { before: string; count: number; [more: string]: unknown },
): void {
  if (details.count > 0) audit.record(tx, { action, actor: SYSTEM, details })
}

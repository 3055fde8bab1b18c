import { keepPartitions } from '#database/partitions.ts'
import { deleteOldJobs, repeat } from '#jobs/queue.ts'
import { type Job, registerWork } from '#jobs/work.ts'
import { DAY_MS } from '#lib/clock.ts'
import { logFailure } from './lib/background.ts'
import { recheckDated } from './findings/rebuild.ts'
import { imports } from './imports/store.ts'
import { deleteOld } from './retention/work.ts'
import { recordCounters } from './ledger/counterDays.ts'
import { deleteExpiredKeys } from './ledger/idempotency.ts'
import { notifications } from './notifications/store.ts'
import { purgeDue } from './trash/purge.ts'
import { work } from './work/store.ts'
import { queueWaitingFiles } from './assets/processing.ts'
import { uploadSessions } from './assets/uploadSessions.ts'

/** What one of the processes that use the database does once a day. */
const DAILY = {
  'trash.purge': ({ signal }: Job) => purgeDue({ signal, failed: logFailure('emptying the trash') }),
  'notifications.expire': () => notifications.deleteExpired(),
  // Deletes old jobs of all kinds. The old name stays, since it is the id of the job's row.
  'batches.expire': () => deleteOldJobs(),
  'imports.expire': () => imports.deleteExpired(),
  'counters.note': () => recordCounters(),
  'findings.recheck': ({ signal }: Job) => recheckDated(signal),
  'reservations.expire': () => work.deleteExpired(),
  'retention.delete': (job: Job) => deleteOld(job),
  'creations.expire': () => deleteExpiredKeys(),
  'uploads.expire': () => uploadSessions.deleteExpired(),
  'partitions.keep': () => keepPartitions(),
  'assets.takeUp': () => queueWaitingFiles(),
}

for (const [kind, act] of Object.entries(DAILY)) registerWork(kind, { everyMs: DAY_MS, run: act })

/** Runs the daily work now, and then once a day. */
export async function repeatDailyWork(): Promise<void> {
  for (const kind of Object.keys(DAILY)) await repeat(kind)
}

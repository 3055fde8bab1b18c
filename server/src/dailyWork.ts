import { keepPartitions } from '#database/partitions.ts'
import { deleteOldJobs, repeat } from '#jobs/queue.ts'
import { registerWork, type Work } from '#jobs/work.ts'
import { DAY_MS } from '#lib/clock.ts'
import { logFailure } from './lib/background.ts'
import { recheckDated } from './findings/rebuild.ts'
import { runs } from './ai/store.ts'
import { resets } from './auth/store.ts'
import { imports } from './imports/store.ts'
import { isTimeTrusted } from './retention/trustedTime.ts'
import { deleteOld } from './retention/work.ts'
import { recordCounters } from './ledger/counterDays.ts'
import { deleteExpiredKeys } from './ledger/idempotency.ts'
import { notifications } from './notifications/store.ts'
import { purgeExpired } from './trash/purge.ts'
import { work } from './work/store.ts'
import { queueWaitingFiles } from './assets/processing.ts'
import { uploadSessions } from './assets/uploadSessions.ts'

/**
 * An hour less than a day, for the counters: each run is a little later than the last one was due, and no day (UTC) may
 * pass without one.
 */
const COUNTERS_MS = DAY_MS - 60 * 60_000

/** What one of the processes that use the database does every day. */
interface DailyWork {
  run: Work['run']
  everyMs?: number
  /** A wrong clock does no harm to it. All other work is not done while the clock cannot be trusted. */
  isTimeless?: true
}

const DAILY: Record<string, DailyWork> = {
  'trash.purge': {
    run: async ({ signal }) => void (await purgeExpired({ signal, failed: logFailure('emptying the trash') })),
  },
  'notifications.expire': { run: () => notifications.deleteExpired() },
  // Deletes old jobs of all kinds. The old name stays, since it is the id of the job's row.
  'batches.expire': { run: () => deleteOldJobs() },
  'imports.expire': { run: () => imports.deleteExpired() },
  'aiRuns.expire': { run: () => runs.deleteExpired() },
  'counters.note': { run: () => recordCounters(), everyMs: COUNTERS_MS },
  'findings.recheck': { run: ({ signal }) => recheckDated(signal) },
  'reservations.expire': { run: () => work.deleteExpired() },
  'retention.delete': { run: (job) => deleteOld(job) },
  'creations.expire': { run: () => deleteExpiredKeys() },
  'links.expire': { run: () => resets.deleteExpired() },
  'uploads.expire': { run: () => uploadSessions.deleteExpired() },
  'partitions.keep': { run: () => keepPartitions(), isTimeless: true },
  'assets.takeUp': { run: () => queueWaitingFiles(), isTimeless: true },
}

for (const [kind, { run, everyMs = DAY_MS, isTimeless = false }] of Object.entries(DAILY))
  registerWork(kind, {
    everyMs,
    run: async (job) => {
      if (isTimeless || (await isTimeTrusted())) await run(job)
    },
  })

/** Runs the daily work now, and then once a day. */
export async function repeatDailyWork(): Promise<void> {
  for (const kind of Object.keys(DAILY)) await repeat(kind)
}

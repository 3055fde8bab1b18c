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

/** What one of the processes that use the database does once a day by the clock, unless it cannot be trusted. */
const BY_CLOCK = {
  'trash.purge': async ({ signal }) => void (await purgeExpired({ signal, failed: logFailure('emptying the trash') })),
  'notifications.expire': () => notifications.deleteExpired(),
  // Deletes old jobs of all kinds. The old name stays, since it is the id of the job's row.
  'batches.expire': () => deleteOldJobs(),
  'imports.expire': () => imports.deleteExpired(),
  'aiRuns.expire': () => runs.deleteExpired(),
  'counters.note': () => recordCounters(),
  'findings.recheck': ({ signal }) => recheckDated(signal),
  'reservations.expire': () => work.deleteExpired(),
  'retention.delete': (job) => deleteOld(job),
  'creations.expire': () => deleteExpiredKeys(),
  'links.expire': () => resets.deleteExpired(),
  'uploads.expire': () => uploadSessions.deleteExpired(),
} satisfies Record<string, Work['run']>

/** What one of them does once a day in any case, since a wrong clock does no harm to it. */
const OTHER = {
  'partitions.keep': () => keepPartitions(),
  'assets.takeUp': () => queueWaitingFiles(),
} satisfies Record<string, Work['run']>

for (const [kind, act] of Object.entries<Work['run']>(BY_CLOCK))
  registerWork(kind, {
    everyMs: kind === 'counters.note' ? COUNTERS_MS : DAY_MS,
    run: async (job) => {
      if (await isTimeTrusted()) await act(job)
    },
  })
for (const [kind, run] of Object.entries(OTHER)) registerWork(kind, { everyMs: DAY_MS, run })

/** Runs the daily work now, and then once a day. */
export async function repeatDailyWork(): Promise<void> {
  for (const kind of Object.keys({ ...BY_CLOCK, ...OTHER })) await repeat(kind)
}

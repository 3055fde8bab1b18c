import { jobsApi } from '@mokuroku/contract/jobs'
import { type Actor, atLeast, authorize, requirePermission } from '#access/permissions.ts'
import { transactionAs } from '#access/session.ts'
import type { Transaction } from '#database/db.ts'
import { serve } from '#http/serve.ts'
import { cancelJob, listJobs, retryJob } from '#jobs/manage.ts'
import { audit } from '#store/audit'

export const jobRoutes = serve(
  jobsApi,
  {
    list: ({ query }) => listJobs(query),
    retry: ({ id, actor }) => change('retry', id, actor, retryJob),
    cancel: ({ id, actor }) => change('cancel', id, actor, cancelJob),
  },
  { list: atLeast('moderator'), retry: authorize('edit', 'Setting'), cancel: authorize('edit', 'Setting') },
)

/** Changes a job, and records who did in the same transaction. */
const change = <Changed extends { kind: string }>(
  what: string,
  id: string,
  caller: Actor,
  act: (tx: Transaction, id: string) => Promise<Changed>,
): Promise<Changed> =>
  transactionAs(caller, async (tx, actor) => {
    requirePermission(actor, 'edit', 'Setting')
    const job = await act(tx, id)
    audit.record(tx, { action: 'settings.jobChanged', actor, details: { what, kind: job.kind } })
    return job
  })

import { auditApi } from '@mokuroku/contract/audit'
import { serve } from '#http/serve.ts'
import { atLeast } from '#access/permissions.ts'
import { requireReauthentication } from '#access/reauthentication.ts'
import { audit } from '#store/audit'
import { verifyChain } from './chain.ts'
import { exportFile } from './export.ts'

/** Restricted to administrators. */
export const auditRoutes = serve(
  auditApi,
  {
    list: ({ query }) => audit.list(query),
    state: () => audit.state(),
    verify: async ({ actor }) => {
      const { entries, broken } = await verified()
      const found = broken && { seq: broken.seq, code: broken.code }
      const details = { entries, ...(found && { broken: found }) }
      await audit.recordNow({ action: 'audit.verified', outcome: broken ? 'failed' : 'ok', actor, details })
      return audit.state()
    },
    export: ({ query, actor }) => {
      requireReauthentication(actor)
      return exportFile(query, actor)
    },
  },
  { list: atLeast('admin'), state: atLeast('admin'), verify: atLeast('admin'), export: atLeast('admin') },
)

let checking: ReturnType<typeof verifyChain> | undefined

/** Concurrent requests share one verification, since reading the whole log twice at once helps nobody. */
const verified = (): ReturnType<typeof verifyChain> =>
  (checking ??= verifyChain().finally(() => (checking = undefined)))

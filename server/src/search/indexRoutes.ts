import { indexApi } from '@mokuroku/contract/search'
import { atLeast, authorize, requirePermission } from '#access/permissions.ts'
import { transactionAs } from '#access/session.ts'
import { serve } from '#http/serve.ts'
import { audit } from '#store/audit'
import { indexState, REBUILD } from './progress.ts'
import { rebuildLater } from './rebuild.ts'

export const indexRoutes = serve(
  indexApi,
  {
    state: indexState,
    rebuild: async ({ actor: caller }) => {
      await transactionAs(caller, async (tx, actor) => {
        requirePermission(actor, 'edit', 'Setting')
        if (!(await rebuildLater(tx))) return
        audit.record(tx, { action: 'settings.jobChanged', actor, details: { what: 'start', kind: REBUILD } })
      })
      return indexState()
    },
  },
  { state: atLeast('moderator'), rebuild: authorize('edit', 'Setting') },
)

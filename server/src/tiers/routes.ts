import { tiersApi } from '@mokuroku/contract/tiers'
import { authorize } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { entityHandlers } from '#ledger/handlers.ts'
import { tiers } from '#store/tiers'
import { preview } from './preview.ts'

export const tierRoutes = serve(
  tiersApi,
  {
    ...entityHandlers(tiers, 'Tier'),
    list: async () => ({ data: await tiers.list() }),
    uses: ({ id }) => tiers.uses(id),
    preview: ({ body: { id, tier } }) => preview(id, tier),
  },
  {
    create: authorize('create', 'Tier'),
    update: authorize('edit', 'Tier'),
    remove: authorize('delete', 'Tier'),
    restore: authorize('restore', 'Tier'),
    preview: authorize('edit', 'Tier'),
  },
)

import { indexApi } from '@mokuroku/contract/search'
import { atLeast, authorize } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { indexState } from './progress.ts'
import { rebuildLater } from './rebuild.ts'

export const indexRoutes = serve(
  indexApi,
  {
    state: indexState,
    rebuild: async ({ actor }) => {
      await rebuildLater(actor)
      return indexState()
    },
  },
  { state: atLeast('moderator'), rebuild: authorize('edit', 'Setting') },
)

import { trashApi } from '@mokuroku/contract/trash'
import { serve } from '#http/serve.ts'
import { authorize } from '#access/permissions.ts'
import { trash } from '#store/trash'
import { purgeOne } from './purge.ts'

export const trashRoutes = serve(
  trashApi,
  {
    list: ({ query, actor }) => trash.list(query, actor),
    purge: async ({ kind, id, actor }) => {
      await purgeOne(kind, id, actor)
      return { success: true }
    },
  },
  { purge: authorize('purge', 'Media') },
)

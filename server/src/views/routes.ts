import { viewsApi } from '@mokuroku/contract/views'
import { serve } from '#http/serve.ts'
import { views } from '#store/views'

export const viewRoutes = serve(
  viewsApi,
  {
    list: async ({ query, actor }) => ({ data: await views.list(actor, query.entityType) }),
    find: ({ id, actor }) => views.find(id, actor),
    create: ({ body, actor, key }) => views.create(body, actor, key),
    update: ({ id, body, actor, base }) => views.update(id, body, actor, base),
    remove: async ({ id, actor }) => {
      await views.remove(id, actor)
      return { success: true }
    },
  },
  {},
  { update: ({ id, actor }) => views.authorize(id, actor) },
)

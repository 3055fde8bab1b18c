import { commentsApi } from '@mokuroku/contract/comments'
import { serve } from '#http/serve.ts'
import { comments } from '#store/comments'

export const commentRoutes = serve(
  commentsApi,
  {
    list: async ({ query, actor }) => {
      const { rows, total } = await comments.list(query, actor)
      return { answer: { data: rows }, total }
    },
    counts: async ({ query: { entityType, ids } }) => ({ data: await comments.counts(entityType, ids) }),
    create: ({ body, actor, key }) => comments.create(body, actor, key),
    update: ({ id, body, actor, base }) => comments.update(id, body, actor, base),
    remove: async ({ id, actor }) => {
      await comments.remove(id, actor)
      return { success: true }
    },
  },
  {},
  { update: ({ id, actor }) => comments.authorize(id, actor) },
)

import { ratingsApi } from '@mokuroku/contract/ratings'
import { notFound } from '#lib/errors.ts'
import { serve } from '#http/serve.ts'
import { authorize } from '#access/permissions.ts'
import { ratings } from '#store/ratings'

const find = async (id: string) => (await ratings.find(id)) ?? notFound('Rating')

export const ratingRoutes = serve(
  ratingsApi,
  {
    list: ({ query }) => ratings.list(query.page, query.limit),
    ofMedia: ({ id, query }) => ratings.ofMedia(id, query.page, query.limit, query.userId),
    find: ({ id }) => find(id),
    create: async ({ body, actor }) => find(await ratings.create({ ...body, userId: actor._id }, { actor })),
    update: async ({ id, body, actor, base }) => {
      await ratings.update(id, body, { actor }, base)
      return find(id)
    },
    remove: async ({ id, actor, base }) => {
      await ratings.remove(id, { actor }, base)
      return { success: true }
    },
    restore: async ({ id, actor }) => {
      await ratings.restore(id, { actor })
      return find(id)
    },
  },
  { create: authorize('create', 'Rating') },
)

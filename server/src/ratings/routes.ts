import { ratingsApi } from '@mokuroku/contract/ratings'
import { authorize } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { guardsOf, entityHandlers } from '#ledger/handlers.ts'
import { redirectMerged } from '#ledger/merges.ts'
import { ratings } from '#store/ratings'
import { usesOf } from '#store/uses'

const handlers = entityHandlers(ratings, 'Rating')

export const ratingRoutes = serve(
  ratingsApi,
  {
    ...handlers,
    list: ({ query }) => ratings.list(query),
    ofMedia: async ({ id, query }) => {
      const found = await ratings.ofMedia(id, query.page, query.limit, query.userId)
      if (found.length === 0) await redirectMerged('Media', id)
      return found
    },
    uses: ({ id }) => usesOf('Rating', id),
    create: ({ body, ...call }) => handlers.create({ ...call, body: { ...body, userId: call.actor._id } }),
  },
  { create: authorize('create', 'Rating') },
  guardsOf('Rating'),
)

import { ratingsApi } from '@mokuroku/contract/ratings'
import { serve } from '#lib/http.ts'
import { ratings } from '#store/ratings'

export const ratingRoutes = serve(ratingsApi, {
  ofMedia: ({ id }) => ratings.ofMedia(id),
})

import { RatingQuery, ratingsApi } from '@mokuroku/contract/ratings'
import * as z from 'zod/mini'
import { qList } from '#api/query.ts'

/** Available page sizes; the first is the default. */
export const SIZES = [10, 25, 50] as const
const Limit = z.pipe(
  z.enum(SIZES.map(String)),
  z.transform((size) => Number(size)),
)
/** Query parameters in the URL of the list. */
export const ListQuery = z.object({ ...RatingQuery.shape, limit: z._default(Limit, SIZES[0]) })

/** Query options for one page of the list. */
export const ratingPage = (query: z.output<typeof ListQuery>) => qList(ratingsApi.list, { query })

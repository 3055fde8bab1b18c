import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { SuccessResponse, Id, page, Ref, entityFields, text, WholeNumber } from './common.ts'
import { MEDIA_TYPES } from './media.ts'
import { del, get, post, put } from './route.ts'
import { Uses } from './uses.ts'

/** 0 to 10 in steps of 0.1; the error of a calculated one, such as 0.1 + 0.2, is removed. */
export const Score = z.number().check(
  z.gte(0),
  z.lte(10),
  z.refine((score) => Math.abs(score * 10 - Math.round(score * 10)) < 1e-9, SENTENCES.scoreSteps),
  z.overwrite((score) => Math.round(score * 10) / 10),
)

/** An omitted comment stays unchanged. */
export const RatingInput = z.strictObject({
  score: Score,
  comment: z.optional(text(5000)),
})
export type RatingInput = z.output<typeof RatingInput>

export const NewRating = z.strictObject({ mediaId: Ref, ...RatingInput.shape })
export type NewRating = z.output<typeof NewRating>

const Rater = z.object({ _id: z.string(), username: z.string(), avatar: z.string(), fullName: z.string() })

export const RatedMedia = z.object({
  _id: z.string(),
  translations: z.record(z.string(), z.object({ title: z.string(), description: z.string() })),
  mediaType: z.enum(MEDIA_TYPES),
})

export const Rating = z.object({
  ...entityFields,
  /** The rater; only the id if the account no longer exists. */
  userId: z.union([Rater, z.string()]),
  /** The rated media, even if it is in the trash; only the id if it has been deleted permanently. */
  mediaId: z.union([RatedMedia, z.string()]),
  score: z.number(),
  comment: z.string(),
})
export type Rating = z.output<typeof Rating>

export const RatingQuery = z.object({
  ...page(10),
  /** Finds the ratings of the 500 media and of the 500 users that match best, by title or username. */
  search: z.optional(text(200).check(z.trim())),
})

export const ratingsApi = {
  /** With `search`, `total` is capped at 10,001. */
  list: get('/api/ratings', {
    query: RatingQuery,
    response: z.object({
      ratings: z.array(Rating),
      pagination: z.object({ total: WholeNumber, pages: WholeNumber, page: WholeNumber, limit: WholeNumber }),
    }),
    cached: true,
  }),
  ofMedia: get('/api/ratings/media/:id', {
    /** With `userId`, only that user's rating: at most one. */
    query: z.object({ ...page(100), userId: z.optional(Id) }),
    response: z.array(Rating),
    cached: true,
    redirects: true,
  }),
  find: get('/api/ratings/:id', { response: Rating, cached: true }),
  create: post('/api/ratings', { body: NewRating, response: Rating, status: 201, idempotent: true }),
  update: put('/api/ratings/:id', { body: RatingInput, response: Rating, versioned: true }),
  remove: del('/api/ratings/:id', { response: SuccessResponse, versioned: true }),
  restore: post('/api/ratings/:id/restore', { response: Rating }),
  /** Nothing links to a rating: the answer is the same as that of other kinds, and empty. */
  uses: get('/api/ratings/:id/uses', { response: Uses, cached: true }),
}

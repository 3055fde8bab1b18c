import * as z from 'zod/mini'
import { stored, text } from './common.ts'
import { get } from './route.ts'

/** 0 to 10 in steps of 0.1. */
export const Score = z.number().check(
  z.gte(0),
  z.lte(10),
  z.refine((score) => Math.abs(score * 10 - Math.round(score * 10)) < 1e-9, 'Must be in steps of 0.1'),
)

export const RatingInput = z.strictObject({
  score: Score,
  comment: z.optional(text(5000)),
})
export type RatingInput = z.output<typeof RatingInput>

export const Rater = z.object({ _id: z.string(), username: z.string(), avatar: z.string(), fullName: z.string() })

export const Rating = z.object({
  ...stored,
  /** The rater; the plain id when the account is gone. */
  userId: z.union([Rater, z.string()]),
  mediaId: z.string(),
  score: z.number(),
  comment: z.string(),
})
export type Rating = z.output<typeof Rating>

export const ratingsApi = {
  ofMedia: get('/api/ratings/media/:id', { response: z.array(Rating) }),
}

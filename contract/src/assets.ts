import * as z from 'zod/mini'
import { Flag, Id, stored } from './common.ts'
import { get } from './route.ts'

export const ASSET_TYPES = ['IMAGE', 'VIDEO', 'AUDIO'] as const
export const ASSET_STATUSES = ['READY', 'PENDING', 'PROCESSING', 'ERROR'] as const

export type AssetType = (typeof ASSET_TYPES)[number]
export type AssetStatus = (typeof ASSET_STATUSES)[number]

export const Asset = z.object({
  ...stored,
  type: z.enum(ASSET_TYPES),
  filename: z.string(),
  /** Relative to the API host, as is `thumbnail` (160 pixels wide, images only). */
  url: z.string(),
  thumbnail: z.optional(z.string()),
  mimeType: z.string(),
  /** Bytes. */
  size: z.number(),
  /** Pixels; absent for audio. */
  dimensions: z.optional(z.object({ width: z.number(), height: z.number() })),
  status: z.enum(ASSET_STATUSES),
  isPublic: z.boolean(),
})
export type Asset = z.output<typeof Asset>

/** `relatedTo={"model":"MEDIA","id":"…"}` in an address. */
const RelatedTo = z.pipe(
  z.string().check(z.maxLength(200)),
  z.transform((text, context) => {
    try {
      return z.object({ model: z.enum(['MEDIA']), id: Id }).parse(JSON.parse(text))
    } catch {
      context.issues.push({ code: 'custom', input: text, message: 'Must be JSON with model and id' })
      return z.NEVER
    }
  }),
)

export const AssetQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  skip: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(10_000_000)), 0),
  type: z.optional(z.enum(ASSET_TYPES)),
  status: z.optional(z.enum(ASSET_STATUSES)),
  isPublic: z.optional(Flag),
  relatedTo: RelatedTo,
})

export const assetsApi = {
  list: get('/api/assets', {
    query: AssetQuery,
    response: z.object({
      data: z.array(Asset),
      pagination: z.object({ total: z.number(), limit: z.number(), skip: z.number() }),
    }),
  }),
}

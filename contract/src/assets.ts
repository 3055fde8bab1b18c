import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { SuccessResponse, BooleanParam, Id, Timestamp, entityFields, text } from './common.ts'
import { del, get, patch, post, put } from './route.ts'
import { Uses } from './uses.ts'

export const ASSET_TYPES = ['IMAGE', 'VIDEO', 'AUDIO'] as const
export const ASSET_STATUSES = ['READY', 'PENDING', 'PROCESSING', 'ERROR'] as const

/** What an asset's revisions say of its file: another file changes them together, and none of them alone. */
export const FILE_FIELDS: readonly string[] = ['type', 'mimeType', 'size', 'contentHash', 'storageKey']

export type AssetType = (typeof ASSET_TYPES)[number]
export type AssetStatus = (typeof ASSET_STATUSES)[number]

export const Asset = z.object({
  ...entityFields,
  type: z.enum(ASSET_TYPES),
  filename: z.string(),
  /**
   * Relative to the API host, as are `thumbnail` (160 pixels wide) and `preview` (960 pixels, of larger pictures only).
   * The address of a private asset is signed, and lasts 5 minutes.
   */
  url: z.string(),
  thumbnail: z.optional(z.string()),
  preview: z.optional(z.string()),
  mimeType: z.string(),
  /** Bytes, as they were sent. */
  size: z.number(),
  /** Pixels; absent for audio, and until the file has been looked into. */
  dimensions: z.optional(z.object({ width: z.number(), height: z.number() })),
  /** Seconds; of video and audio. */
  duration: z.optional(z.number()),
  status: z.enum(ASSET_STATUSES),
  /** Why the status is ERROR. */
  failure: z.optional(z.string()),
  /**
   * Of video and audio: whether the file still holds what it says of itself (place, device, tags), because that could
   * not be taken out without losing more. Absent until it has been looked into.
   */
  keepsMetadata: z.optional(z.boolean()),
  isPublic: z.boolean(),
  uploadedBy: z.optional(z.object({ _id: z.string(), username: z.string(), avatar: z.string() })),
  /** The first that uses it; `GET /api/assets/:id/uses` names the others. */
  relatedTo: z.optional(z.object({ model: z.string(), id: z.string() })),
  relatedData: z.optional(z.object({ _id: z.string(), title: z.string() })),
  /** In the answer to an upload: the asset that holds the same bytes. */
  duplicateOf: z.optional(z.string()),
})
export type Asset = z.output<typeof Asset>

export const AssetInput = z.strictObject({
  filename: z.optional(text(1000).check(z.trim(), z.minLength(1, SENTENCES.nameRequired))),
  isPublic: z.optional(z.boolean()),
})
export type AssetInput = z.output<typeof AssetInput>

/** `relatedTo={"model":"MEDIA","id":"…"}` in an address. */
const RelatedTo = z.pipe(
  z.string().check(z.maxLength(200)),
  z.transform((json, context) => {
    try {
      return z.object({ model: z.enum(['MEDIA', 'CHARACTER']), id: Id }).parse(JSON.parse(json))
    } catch {
      context.issues.push({ code: 'custom', input: json, message: SENTENCES.relation })
      return z.NEVER
    }
  }),
)

export const AssetQuery = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 20),
  skip: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(10_000_000)), 0),
  type: z.optional(z.enum(ASSET_TYPES)),
  status: z.optional(z.enum(ASSET_STATUSES)),
  isPublic: z.optional(BooleanParam),
  /** Finds by filename. */
  search: z.optional(text(200).check(z.trim())),
  relatedTo: z.optional(RelatedTo),
  /** Only those that nothing uses. */
  unused: z.optional(BooleanParam),
})

/** `total` stops at 10,001 where filters make it too costly to count; `size` is the bytes of what `unused` found. */
const Pagination = z.object({
  total: z.number(),
  limit: z.number(),
  skip: z.number(),
  size: z.optional(z.number()),
})

/** Which of the assets that nothing uses: those that filters find and that were there at `until`. */
export const UnusedInput = z.strictObject({
  type: AssetQuery.shape.type,
  status: AssetQuery.shape.status,
  search: AssetQuery.shape.search,
  until: Timestamp,
})
export type UnusedInput = z.output<typeof UnusedInput>

export const assetsApi = {
  list: get('/api/assets', {
    query: AssetQuery,
    response: z.object({ data: z.array(Asset), pagination: Pagination }),
    cached: true,
  }),
  find: get('/api/assets/:id', { response: Asset, cached: true }),
  /** Any kind of asset. A field `isPublic` before the file may say `false`. */
  upload: post('/api/assets', { upload: 'file', response: Asset, status: 201 }),
  uploadImage: post('/api/assets/image', { upload: 'image', response: Asset, status: 201 }),
  update: put('/api/assets/:id', { body: AssetInput, response: Asset }),
  /** Another file of the same type in the place of this one; id, name and uses stay. */
  replace: put('/api/assets/:id/file', { upload: 'file', response: Asset }),
  retry: post('/api/assets/:id/retry', { response: Asset }),
  remove: del('/api/assets/:id', { response: SuccessResponse }),
  restore: post('/api/assets/:id/restore', { response: Asset }),
  uses: get('/api/assets/:id/uses', { response: Uses, cached: true }),
  /** Moves assets that nothing uses to the trash, at most a thousand, oldest first. */
  trashUnused: post('/api/assets/unused/trash', {
    body: UnusedInput,
    response: z.object({ success: z.boolean(), count: z.number(), size: z.number(), batch: z.string() }),
  }),
  restoreUnused: post('/api/assets/unused/restore', {
    body: z.strictObject({ batch: Id }),
    response: z.object({ success: z.boolean(), count: z.number() }),
  }),
}

/**
 * A file that is sent in parts. Parts go to `offset`; the answer to the last one carries the asset, as do later answers
 * until `expiresAt`: a sender who missed it may ask again, or send the last part again.
 */
export const UploadSession = z.object({
  _id: z.string(),
  filename: z.string(),
  size: z.number(),
  /** Bytes that have arrived; also the header Upload-Offset. */
  offset: z.number(),
  expiresAt: z.string(),
  asset: z.optional(Asset),
})
export type UploadSession = z.output<typeof UploadSession>

export const uploadsApi = {
  begin: post('/api/uploads', {
    body: z.strictObject({
      filename: text(1000),
      size: z.number().check(z.int(), z.gte(1)),
      isPublic: z.optional(z.boolean()),
    }),
    response: UploadSession,
    status: 201,
  }),
  find: get('/api/uploads/:id', { response: UploadSession }),
  /** The next part as application/offset+octet-stream, with the header Upload-Offset. */
  append: patch('/api/uploads/:id', { upload: 'part', response: UploadSession }),
  cancel: del('/api/uploads/:id', { response: SuccessResponse }),
}

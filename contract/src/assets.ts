import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import {
  BooleanParam,
  entityFields,
  Id,
  Moment,
  offset,
  SuccessResponse,
  text,
  Timestamp,
  Version,
  WholeNumber,
} from './common.ts'
import { del, get, patch, post, put } from './route.ts'
import { Uses } from './uses.ts'

export const ASSET_TYPES = ['IMAGE', 'VIDEO', 'AUDIO'] as const
export const ASSET_STATUSES = ['READY', 'PENDING', 'PROCESSING', 'ERROR'] as const

/** The fields of an asset that describe its file: they change only together, when the file is replaced. */
export const FILE_FIELDS: readonly string[] = ['type', 'mimeType', 'size', 'contentHash', 'storageKey']

export type AssetType = (typeof ASSET_TYPES)[number]
export type AssetStatus = (typeof ASSET_STATUSES)[number]

export const Asset = z.object({
  ...entityFields,
  type: z.enum(ASSET_TYPES),
  filename: z.string(),
  /**
   * Relative to the API host, like `thumbnail` (160 pixels wide) and `preview` (960 pixels, of larger pictures only).
   * The URL of a private asset is signed and valid for 5 minutes.
   */
  url: z.string(),
  thumbnail: z.optional(z.string()),
  preview: z.optional(z.string()),
  mimeType: z.string(),
  /** The size of the file as it was uploaded, in bytes. */
  size: WholeNumber,
  /** In pixels; absent for audio, and until the file has been processed. */
  dimensions: z.optional(z.object({ width: WholeNumber, height: WholeNumber })),
  /** Of video and audio, in seconds. */
  duration: z.optional(z.number()),
  status: z.enum(ASSET_STATUSES),
  /** Why the status is ERROR. */
  failure: z.optional(z.string()),
  /**
   * Of video and audio: whether the file still contains its metadata (location, device, tags), because that could not
   * be removed without losing more. Absent until the file has been processed.
   */
  keepsMetadata: z.optional(z.boolean()),
  isPublic: z.boolean(),
  uploadedBy: z.optional(z.object({ _id: z.string(), username: z.string(), avatar: z.string() })),
  /** The first entity that uses it; `GET /api/assets/:id/uses` lists the others. */
  relatedTo: z.optional(z.object({ model: z.string(), id: z.string() })),
  relatedData: z.optional(z.object({ _id: z.string(), title: z.string() })),
  /** Only in the response to an upload: the id of an asset with identical content. */
  duplicateOf: z.optional(z.string()),
})
export type Asset = z.output<typeof Asset>

export const AssetInput = z.strictObject({
  filename: z.optional(text(1000).check(z.trim(), z.minLength(1, SENTENCES.nameRequired))),
  isPublic: z.optional(z.boolean()),
})
export type AssetInput = z.output<typeof AssetInput>

/** As a query parameter: `relatedTo={"model":"MEDIA","id":"…"}`. */
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
  ...offset(20),
  type: z.optional(z.enum(ASSET_TYPES)),
  status: z.optional(z.enum(ASSET_STATUSES)),
  isPublic: z.optional(BooleanParam),
  /** Searches by filename. */
  search: z.optional(text(200).check(z.trim())),
  relatedTo: z.optional(RelatedTo),
  /** Only assets that nothing uses. */
  unused: z.optional(BooleanParam),
})

/**
 * `total` is capped at 10,001 where filters make counting too expensive. With `unused`, `size` is the size of the found
 * assets in bytes, and `until` the time of the answer, for `trashUnused`.
 */
const Pagination = z.object({
  total: WholeNumber,
  limit: WholeNumber,
  skip: WholeNumber,
  size: z.optional(WholeNumber),
  until: z.optional(Moment),
})
export type AssetPagination = z.output<typeof Pagination>

/** Selects unused assets: those that match the filters and already existed at `until`. */
export const UnusedInput = z.strictObject({
  type: AssetQuery.shape.type,
  status: AssetQuery.shape.status,
  search: AssetQuery.shape.search,
  until: Timestamp,
})
export type UnusedInput = z.output<typeof UnusedInput>

/**
 * The text fields of the form that uploads a file, before or after it. An asset is public unless it says otherwise; a
 * misspelled name is refused, so that it does not make a private file public.
 */
export const UploadForm = z.strictObject({ isPublic: z.optional(BooleanParam) })

export const assetsApi = {
  list: get('/api/assets', {
    query: AssetQuery,
    response: z.object({ data: z.array(Asset), pagination: Pagination }),
    cached: true,
  }),
  find: get('/api/assets/:id', { response: Asset, cached: true }),
  /** Any type of asset. */
  upload: post('/api/assets', { upload: 'file', form: UploadForm, response: Asset, status: 201, idempotent: true }),
  uploadImage: post('/api/assets/image', {
    upload: 'image',
    form: UploadForm,
    response: Asset,
    status: 201,
    idempotent: true,
  }),
  update: put('/api/assets/:id', { body: AssetInput, response: Asset, versioned: true }),
  /** Replaces the file with another one of the same type; id, name and uses stay. */
  replace: put('/api/assets/:id/file', { upload: 'file', response: Asset, versioned: true }),
  retry: post('/api/assets/:id/retry', { response: Asset }),
  remove: del('/api/assets/:id', { response: SuccessResponse, versioned: true }),
  restore: post('/api/assets/:id/restore', { response: Asset }),
  uses: get('/api/assets/:id/uses', { response: Uses, cached: true }),
  /** Moves unused assets to the trash, at most 1,000, oldest first. */
  trashUnused: post('/api/assets/unused/trash', {
    body: UnusedInput,
    response: z.object({ success: z.boolean(), count: WholeNumber, size: WholeNumber, batch: z.string() }),
  }),
  restoreUnused: post('/api/assets/unused/restore', {
    body: z.strictObject({ batch: Id }),
    response: z.object({ success: z.boolean(), count: WholeNumber }),
  }),
}

/**
 * A resumable upload: a file that is sent in parts, each starting at `offset`. The response to the last part contains
 * the asset that it has become, or whose file it has replaced. So do all responses after it until `expiresAt`: a client
 * that missed it can ask again or resend the last part.
 */
export const UploadSession = z.object({
  _id: z.string(),
  filename: z.string(),
  size: WholeNumber,
  /** The number of bytes received; also in the header Upload-Offset. */
  offset: WholeNumber,
  expiresAt: Moment,
  asset: z.optional(Asset),
})
export type UploadSession = z.output<typeof UploadSession>

export const uploadsApi = {
  begin: post('/api/uploads', {
    body: z.strictObject({
      filename: text(1000),
      size: z.number().check(z.int(), z.gte(1)),
      isPublic: z.optional(z.boolean()),
      /** The asset whose file it replaces, as `PUT /api/assets/:id/file` does, and its version that the caller has seen. */
      replaces: z.optional(z.strictObject({ _id: Id, version: z.optional(Version) })),
    }),
    response: UploadSession,
    status: 201,
    idempotent: true,
  }),
  find: get('/api/uploads/:id', { response: UploadSession }),
  /** The next part as application/offset+octet-stream, with the header Upload-Offset. */
  append: patch('/api/uploads/:id', { upload: 'part', response: UploadSession }),
  cancel: del('/api/uploads/:id', { response: SuccessResponse }),
}

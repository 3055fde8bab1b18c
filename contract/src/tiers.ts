import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { SuccessResponse, Id, entityFields, text, WholeNumber } from './common.ts'
import { del, get, post, put } from './route.ts'
import { Uses } from './uses.ts'

export const Permissions = z.strictObject({
  canCreateMedia: z.boolean(),
  canCreateCharacter: z.boolean(),
  canCreateTag: z.boolean(),
  canEditOwnContent: z.boolean(),
  canEditAnyContent: z.boolean(),
  maxUploadSizeMB: z.number().check(z.gte(0), z.lte(10_000)),
  canUploadVideo: z.boolean(),
  canRateContent: z.boolean(),
  canCommentUnrestricted: z.boolean(),
  canAccessPremiumContent: z.boolean(),
  customPermissions: z.optional(z.record(z.string(), z.boolean())),
})
export type Permissions = z.output<typeof Permissions>
/** A permission that a tier either grants or not. */
export type Capability = {
  [Name in keyof Permissions]-?: Permissions[Name] extends boolean ? Name : never
}[keyof Permissions]

/** The name of a custom permission; not one that every object has, such as `constructor`. */
const PermissionName = text(100).check(
  z.minLength(1),
  z.refine((name) => !(name in {}), SENTENCES.form),
)

export const TierInput = z.strictObject({
  name: text(100).check(z.trim(), z.minLength(1, SENTENCES.nameRequired)),
  description: z.optional(text(2000)),
  requiredScore: z.number().check(z.gte(0, SENTENCES.scoreNegative)),
  isActive: z.boolean(),
  permissions: z.strictObject({
    ...Permissions.shape,
    customPermissions: z.optional(z.record(PermissionName, z.boolean())),
  }),
})
export type TierInput = z.output<typeof TierInput>

export const Tier = z.object({
  ...entityFields,
  name: z.string(),
  description: z.string(),
  requiredScore: z.number(),
  isActive: z.boolean(),
  permissions: Permissions,
  createdBy: z.optional(z.string()),
  /** The number of active accounts in it with the role `user`; 10,000 means at least that many. */
  userCount: WholeNumber,
})
export type Tier = z.output<typeof Tier>

/** Who would gain or lose which permissions. A larger upload limit counts as a gain of `maxUploadSizeMB`. */
export const TierPreview = z.object({
  /** The number of accounts whose permissions would change. */
  userCount: WholeNumber,
  /** The number of accounts, by permission. */
  gains: z.record(z.string(), WholeNumber),
  losses: z.record(z.string(), WholeNumber),
  /** The first few of these accounts, lowest scores first. */
  first: z.array(
    z.object({
      _id: z.string(),
      username: z.string(),
      scores: z.number(),
      /** The names of the old and the new tier. */
      before: z.string(),
      after: z.string(),
      gains: z.array(z.string()),
      losses: z.array(z.string()),
    }),
  ),
})
export type TierPreview = z.output<typeof TierPreview>

export const tiersApi = {
  list: get('/api/score-permissions', { response: z.object({ data: z.array(Tier) }) }),
  find: get('/api/score-permissions/:id', { response: Tier }),
  create: post('/api/score-permissions', { body: TierInput, response: Tier, status: 201, idempotent: true }),
  update: put('/api/score-permissions/:id', { body: TierInput, response: Tier, versioned: true }),
  remove: del('/api/score-permissions/:id', { response: SuccessResponse, versioned: true }),
  restore: post('/api/score-permissions/:id/restore', { response: Tier }),
  /** The number of active accounts in it with the role `user`, up to 10,000. */
  uses: get('/api/score-permissions/:id/uses', { response: Uses }),
  /** What saving `tier` as the tier `id`, or as a new tier, would change; null: what deleting the tier `id` would. */
  preview: post('/api/score-permissions/preview', {
    body: z.strictObject({ id: z.optional(Id), tier: z.nullable(TierInput) }),
    response: TierPreview,
  }),
}

/** The initial values of a new tier; the default tier grants the same permissions. */
export const newTier = (): Required<Omit<TierInput, 'permissions'>> & { permissions: Permissions } => ({
  name: '',
  description: '',
  requiredScore: 0,
  isActive: true,
  permissions: {
    canCreateMedia: false,
    canCreateCharacter: false,
    canCreateTag: false,
    canEditOwnContent: false,
    canEditAnyContent: false,
    maxUploadSizeMB: 2,
    canUploadVideo: false,
    canRateContent: true,
    canCommentUnrestricted: false,
    canAccessPremiumContent: false,
  },
})

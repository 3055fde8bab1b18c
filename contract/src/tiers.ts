import * as z from 'zod/mini'
import { text } from './common.ts'

const FLAGS = [
  'canCreateMedia',
  'canCreateCharacter',
  'canCreateTag',
  'canEditOwnContent',
  'canEditAnyContent',
  'canUploadVideo',
  'canRateContent',
  'canCommentUnrestricted',
  'canAccessPremiumContent',
] as const
export type Capability = (typeof FLAGS)[number]

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

export const TierInput = z.strictObject({
  name: text(100).check(z.trim(), z.minLength(1, 'Name is required')),
  description: z.optional(text(2000)),
  requiredScore: z.number().check(z.gte(0, 'Score must be non-negative')),
  isActive: z.boolean(),
  permissions: Permissions,
})
export type TierInput = z.output<typeof TierInput>

/** What a new tier starts from, and what the default tier grants (specification 3). */
export const newTier = () => ({
  name: '',
  description: '',
  requiredScore: 0,
  isActive: true,
  permissions: {
    ...(Object.fromEntries(FLAGS.map((flag) => [flag, flag === 'canRateContent'])) as Record<Capability, boolean>),
    maxUploadSizeMB: 2,
  },
})

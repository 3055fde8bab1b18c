// Why a user is not permitted to do something: the reason for a 403, and for a disabled button. Each language has one
// sentence per code.
import type { Capability } from './tiers.ts'

/** The English sentences by code; `{tier}` is the name of the caller's tier. A missing capability is its own code. */
export const DENIALS = {
  adminOnly: 'Only administrators can do this.',
  moderatorOnly: 'Only moderators and administrators can do this.',
  ownerOnly: 'Only its owner, moderators and administrators can do this.',
  ownerOrAdmin: 'Only its owner and administrators can do this.',
  authorOnly: 'Only its author can do this.',
  authorOrEditor: 'Only its author and users who can edit this entry can do this.',
  reservedByOther: 'Someone else is working on this.',
  adminReads: 'Only administrators can see this.',
  moderatorReads: 'Only moderators and administrators can see this.',
  ownRole: 'You cannot change your own role.',
  ownScores: 'You cannot change your own score.',
  upload: 'Your tier “{tier}” does not allow uploads.',
  write: 'Your tier “{tier}” does not allow creating or editing.',
  assist: 'Your tier “{tier}” does not allow creating or editing, so AI is not available.',
  canCreateMedia: 'Your tier “{tier}” does not allow adding media.',
  canCreateCharacter: 'Your tier “{tier}” does not allow adding characters.',
  canCreateTag: 'Your tier “{tier}” does not allow adding tags.',
  canRateContent: 'Your tier “{tier}” does not allow rating.',
  canUploadVideo: 'Your tier “{tier}” does not allow uploading videos.',
  canEditOwnContent: 'Your tier “{tier}” does not allow editing your own content.',
  canEditAnyContent: 'Your tier “{tier}” does not allow editing other people’s content.',
  canCommentUnrestricted: 'Your tier “{tier}” does not allow comments without limits.',
  canAccessPremiumContent: 'Your tier “{tier}” does not allow premium content.',
} as const satisfies Record<string, string> & Record<Capability, string>

export type DenialCode = keyof typeof DENIALS

/** The English sentence of a denial. */
export const denial = (code: DenialCode, tier = ''): string => DENIALS[code].replace('{tier}', () => tier)

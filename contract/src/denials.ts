// Why somebody may not do something: the reason beside a 403, and of what is shown as not allowed. Each language has one
// sentence per code.
import type { Capability } from './tiers.ts'

const lacking = <Flag extends Capability>(flag: Flag) =>
  ({ [flag]: `Your tier “{tier}” does not include ${flag}.` }) as Record<Flag, string>

/** The English sentences by code; `{tier}` is the name of the caller's tier. A capability is the code of its lack. */
export const DENIALS = {
  adminOnly: 'Only an administrator may do this.',
  moderatorOnly: 'Only moderators and administrators may do this.',
  ownerOnly: 'Only its owner, moderators and administrators may do this.',
  adminReads: 'Only an administrator may read this.',
  moderatorReads: 'Only moderators and administrators may read this.',
  ownRole: 'Nobody changes their own role.',
  ownScores: 'Nobody changes their own scores.',
  upload: 'Your tier “{tier}” does not include uploads.',
  assist: 'Your tier “{tier}” does not include creating or editing, which AI helps with.',
  ...lacking('canCreateMedia'),
  ...lacking('canCreateCharacter'),
  ...lacking('canCreateTag'),
  ...lacking('canRateContent'),
  ...lacking('canUploadVideo'),
  ...lacking('canEditOwnContent'),
  ...lacking('canEditAnyContent'),
  ...lacking('canCommentUnrestricted'),
  ...lacking('canAccessPremiumContent'),
} as const satisfies Record<string, string>

export type DenialCode = keyof typeof DENIALS

/** The English sentence of a denial. */
export const denial = (code: DenialCode, tier = ''): string => inTier(DENIALS[code], tier)

/** A sentence of a denial, in any language, about a tier. */
export const inTier = (sentence: string, tier: string): string => sentence.replace('{tier}', () => tier)

const PATTERNS = Object.entries(DENIALS).map(([code, sentence]) => {
  const [before = '', after] = sentence.split('{tier}')
  return { code: code as DenialCode, before, after }
})

/** The code of an English sentence that `denial` made, and the tier that it names; undefined for any other sentence. */
export function denialIn(sentence: string): { code: DenialCode; tier: string } | undefined {
  for (const { code, before, after } of PATTERNS)
    if (after === undefined ? sentence === before : sentence.startsWith(before) && sentence.endsWith(after))
      return { code, tier: after === undefined ? '' : sentence.slice(before.length, sentence.length - after.length) }
  return undefined
}

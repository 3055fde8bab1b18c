import type { CharacterInput } from '@mokuroku/contract/characters'
import type { MediaInput } from '@mokuroku/contract/media'
import type { RatingInput } from '@mokuroku/contract/ratings'
import type { TagInput } from '@mokuroku/contract/tags'
import type { TierInput } from '@mokuroku/contract/tiers'
import type { Role } from '@mokuroku/contract/users'

/**
 * Records of the sample catalogue. They refer to each other by `key`, a string that is unique in the whole sample and
 * stays the same from release to release, so that a loader can derive ids from it and run twice without harm.
 */
type Keyed = { key: string; createdAt: string }

/** `characters`, `tags` and `relatedMedia` hold keys; `createdBy` is a username, absent for imported records. */
export type SampleMedia = Omit<MediaInput, 'cover' | 'assets'> & Keyed & { createdBy?: string }

/** `tags` holds keys; `createdBy` is a username. */
export type SampleCharacter = Omit<CharacterInput, 'cover' | 'assets'> & Keyed & { createdBy: string }

/** `parentTag` is the key of a tag that comes earlier in the list, or null. */
export type SampleTag = TagInput & Keyed

export type SampleTier = TierInput & Keyed

/** Without a password: the loader sets one. The key is `user:` and the username. */
export type SampleUser = Keyed & {
  username: string
  email: string
  role: Role
  isActive: boolean
  scores: number
  lastLogin?: string
}

/** `media` is a key, `username` the rater; one rating for each pair. */
export type SampleRating = RatingInput & Keyed & { media: string; username: string }

/**
 * One change of a translation, to be replayed as a real edit: `oldValue` is what the record holds when the edits before
 * it, in the order given, have been replayed. A rolled back edit is followed by edits that start from `oldValue` again.
 */
export type SampleEdit = {
  key: string
  entityType: 'Media' | 'Character'
  language: string
  field: 'title' | 'name' | 'description'
  oldValue: string
  newValue: string
  username: string
  /** Days before `REFERENCE_DATE`; may have a fraction. */
  daysBefore: number
  rolledBack?: { username: string; reason: string; daysBefore: number }
}

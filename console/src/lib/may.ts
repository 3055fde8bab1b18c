import type { Me } from '@mokuroku/contract/auth'
import { kinds, type Translated } from '@mokuroku/contract/kinds'
import type { Capability } from '@mokuroku/contract/tiers'

/** `rollback` is for a change to a text; its owner is the user who made the change. */
export type Action = 'create' | 'edit' | 'delete' | 'rollback'
export type Kind = Translated

/** The capability that a refused user lacks. */
export type Lack = Exclude<
  Capability,
  'canUploadVideo' | 'canRateContent' | 'canCommentUnrestricted' | 'canAccessPremiumContent'
>

/**
 * Whether a user may write an entity of the catalogue, by the server's rules (docs/behaviour.md#permissions): admins
 * and moderators may, others as their tier allows. `owner` is the entity's `createdBy`. Returns the missing capability,
 * or undefined if the user may. The server checks again; this only tells the user before they try.
 */
export function lacks(me: Me, action: Action, kind: Kind, owner?: string): Lack | undefined {
  if (me.role === 'admin' || me.role === 'moderator') return undefined
  const missing = (flag: Lack) => (me.permissions[flag] ? undefined : flag)
  if (action === 'create') return missing(kinds[kind].createdWith)
  if (me.permissions.canEditAnyContent || (action === 'rollback' && owner === me._id)) return undefined
  return missing(owner === me._id ? 'canEditOwnContent' : 'canEditAnyContent')
}

import type { Me } from '@mokuroku/contract/auth'
import { kinds, type Translated } from '@mokuroku/contract/kinds'
import type { Capability } from '@mokuroku/contract/tiers'

/** `rollback` is for a change to a text; its owner is the user who made the change. */
export type Action = 'create' | 'edit' | 'delete' | 'rollback'

/** The capabilities that writing an entity of the catalogue may require. */
type WriteCapability = Exclude<
  Capability,
  'canUploadVideo' | 'canRateContent' | 'canCommentUnrestricted' | 'canAccessPremiumContent'
>

/**
 * The capability that a user lacks for writing an entity of the catalogue; undefined if they may. By the server's rules
 * (docs/behaviour.md#permissions): admins and moderators may, others as their tier allows. `owner` is the entity's
 * `createdBy`. The server checks again; this only tells the user before they try.
 */
export function missingCapability(
  me: Me,
  action: Action,
  kind: Translated,
  owner?: string,
): WriteCapability | undefined {
  if (me.role === 'admin' || me.role === 'moderator') return undefined
  const missing = (flag: WriteCapability) => (me.permissions[flag] ? undefined : flag)
  if (action === 'create') return missing(kinds[kind].createdWith)
  if (me.permissions.canEditAnyContent || (action === 'rollback' && owner === me._id)) return undefined
  return missing(owner === me._id ? 'canEditOwnContent' : 'canEditAnyContent')
}

import type { Me } from '@mokuroku/contract/auth'
import type { Permissions, Tier } from '@mokuroku/contract/tiers'

/** In the order in which they are shown. */
const BY_TIER: Record<Exclude<keyof Permissions, 'customPermissions'>, true> = {
  canCreateMedia: true,
  canCreateCharacter: true,
  canCreateTag: true,
  canEditOwnContent: true,
  canEditAnyContent: true,
  canRateContent: true,
  canCommentUnrestricted: true,
  canAccessPremiumContent: true,
  maxUploadSizeMB: true,
  canUploadVideo: true,
}

/** One permission of a user, with the reason if it is missing. */
export interface Ruling {
  /** Name of the permission; custom permissions have no translation. */
  right: string
  /** For uploads: maximum size in MB, 0 for none. */
  has: boolean | number
  /** The role that it requires, if it depends on the role; otherwise it depends on the tier. */
  needs?: 'moderator' | 'admin'
  /** The next tier that has it, if any. */
  next?: Pick<Tier, 'name' | 'requiredScore'> | undefined
}

/** All permissions of a user, granted or not. Mirrors the server's rules. `tiers` in any order. */
export function rightsOf(me: Me, tiers: readonly Tier[]): Ruling[] {
  const above = tiers
    .filter(({ isActive, requiredScore }) => isActive && requiredScore > me.scores)
    .toSorted((one, two) => one.requiredScore - two.requiredScore)
  const own = Object.keys(me.permissions.customPermissions ?? {})
  const byTier = [...Object.keys(BY_TIER), ...own].map((right): Ruling => {
    const has = valueOf(me.permissions, right)
    return { right, has, ...(!has && { next: above.find(({ permissions }) => valueOf(permissions, right)) }) }
  })
  return [
    ...byTier,
    { right: 'others', has: me.role !== 'user', needs: 'moderator' },
    { right: 'accounts', has: me.role === 'admin', needs: 'admin' },
  ]
}

/** Missing permissions are not granted. */
function valueOf({ customPermissions, ...permissions }: Permissions, right: string): boolean | number {
  const values: Record<string, boolean | number> = { ...customPermissions, ...permissions }
  return values[right] ?? false
}

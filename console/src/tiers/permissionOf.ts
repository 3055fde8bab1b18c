import type { Permissions } from '@mokuroku/contract/tiers'

/** A flag as 0 or 1, the upload size in MB; a permission that is not named is not granted. */
export function permissionOf({ customPermissions, ...permissions }: Permissions, flag: string): number {
  const values: Record<string, number | boolean> = { ...customPermissions, ...permissions }
  return Number(values[flag] ?? 0)
}

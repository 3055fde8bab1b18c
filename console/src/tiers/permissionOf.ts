import type { Permissions } from '@mokuroku/contract/tiers'

/** The value of a permission: 0 or 1 for flags, the upload size in MB; missing permissions are not granted. */
export function permissionOf({ customPermissions, ...permissions }: Permissions, flag: string): number {
  const values: Record<string, number | boolean> = { ...customPermissions, ...permissions }
  return Number(values[flag] ?? 0)
}

import type { Asset } from '@mokuroku/contract/assets'

/** A little less than the lifetime of a private file's URL, in milliseconds. */
const URL_TTL_MS = 4 * 60_000
/** How often assets that are being processed are polled, in milliseconds. */
const POLL_INTERVAL_MS = 2000

/**
 * Refetch interval for the assets on screen: short while one is being processed; before URLs expire if one is private.
 */
export function assetRefetchInterval(shown: readonly Asset[] | undefined): number | false {
  if (shown?.some(({ status }) => status === 'PENDING' || status === 'PROCESSING')) return POLL_INTERVAL_MS
  return shown?.some(({ isPublic }) => !isPublic) ? URL_TTL_MS : false
}

export const ASSET_QUERY_OPTIONS = { staleTime: URL_TTL_MS }

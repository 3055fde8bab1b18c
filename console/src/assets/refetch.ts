import type { Asset } from '@mokuroku/contract/assets'

/** A little less than the address of a private file lasts, in milliseconds. */
const URL_TTL_MS = 4 * 60_000
/** How often a file that is being processed is asked after. */
const POLL_INTERVAL_MS = 2000

/** When assets on screen are to be asked again: soon while one is being processed, in time while one is private. */
export function assetRefetchInterval(shown: readonly Asset[] | undefined): number | false {
  if (shown?.some(({ status }) => status === 'PENDING' || status === 'PROCESSING')) return POLL_INTERVAL_MS
  return shown?.some(({ isPublic }) => !isPublic) ? URL_TTL_MS : false
}

export const ASSET_QUERY_OPTIONS = { staleTime: URL_TTL_MS }

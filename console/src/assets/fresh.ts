import type { Asset } from '@mokuroku/contract/assets'

/** A little less than the address of a private file lasts, in milliseconds. */
const ADDRESS_LASTS = 4 * 60_000
/** How often a file that is being processed is asked after. */
const SOON = 2000

/** When assets on screen are to be asked again: soon while one is being processed, in time while one is private. */
export function freshness(shown: readonly Asset[] | undefined): number | false {
  if (shown?.some(({ status }) => status === 'PENDING' || status === 'PROCESSING')) return SOON
  return shown?.some(({ isPublic }) => !isPublic) ? ADDRESS_LASTS : false
}

export const FRESH_FOR = { staleTime: ADDRESS_LASTS }

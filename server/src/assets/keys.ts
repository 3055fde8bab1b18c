import { SIZES, type Size } from './addresses.ts'

/** The file as it was sent; what is served of a picture is drawn from it. */
export const originalKey = (storageKey: string): string => `original-${storageKey}`

export const sizedKey = (storageKey: string, size: Size): string => `${size}-${storageKey.replace(/\.\w+$/, '')}.webp`

/** Every file that an asset may have. */
export const keysOf = (storageKey: string): string[] => [
  storageKey,
  originalKey(storageKey),
  ...(Object.keys(SIZES) as Size[]).map((size) => sizedKey(storageKey, size)),
]

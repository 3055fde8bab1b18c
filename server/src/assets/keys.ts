/** The versions of a picture beside its full size, by their width in pixels. */
export const SIZES = { small: 160, medium: 960 } as const
export type Size = keyof typeof SIZES

/** Smaller pictures are their own preview. */
export const hasPreview = (dimensions: { width: number; height: number } | undefined): boolean =>
  Math.max(dimensions?.width ?? 0, dimensions?.height ?? 0) > SIZES.medium

/** The file as it was sent; what is served of a picture is drawn from it. */
export const originalKey = (storageKey: string): string => `original-${storageKey}`

export const sizedKey = (storageKey: string, size: Size): string => `${size}-${storageKey.replace(/\.\w+$/, '')}.webp`

/** Every file that an asset may have. */
export const keysOf = (storageKey: string): string[] => [
  storageKey,
  originalKey(storageKey),
  ...(Object.keys(SIZES) as Size[]).map((size) => sizedKey(storageKey, size)),
]

/** The smaller versions of an image, by width in pixels. */
export const SIZES = { small: 160, medium: 960 } as const
export type Size = keyof typeof SIZES

/** Smaller images serve as their own preview. */
export const hasPreview = (dimensions: { width: number; height: number } | undefined): boolean =>
  Math.max(dimensions?.width ?? 0, dimensions?.height ?? 0) > SIZES.medium

/** The key of the original upload, from which the served versions of an image are rendered. */
export const originalKey = (storageKey: string): string => `original-${storageKey}`

export const sizedKey = (storageKey: string, size: Size): string => `${size}-${storageKey.replace(/\.\w+$/, '')}.webp`

/** The keys of all files that an asset may have. */
export const keysOf = (storageKey: string): string[] => [
  storageKey,
  originalKey(storageKey),
  ...(Object.keys(SIZES) as Size[]).map((size) => sizedKey(storageKey, size)),
]

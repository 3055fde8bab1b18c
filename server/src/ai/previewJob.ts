// Draws pictures of other hosts. It runs in processes of its own alone (sandbox/sandbox.ts).
import { limited } from '#sandbox/worker.ts'
import sharp from 'sharp'

const MAX_PIXELS = 50_000_000
/** Pixels of a preview. */
const SIZE = { width: 320, height: 480 }

/** A picture drawn anew, small, as WebP. Throws what cannot be decoded. */
export const preview = limited(({ bytes }: { bytes: Uint8Array }) =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize({ ...SIZE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer(),
)

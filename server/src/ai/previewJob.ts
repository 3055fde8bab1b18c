// Resizes images from other hosts. Runs only in its own sandboxed processes (sandbox/sandbox.ts).
import { limited } from '#sandbox/worker.ts'
import sharp from 'sharp'

const MAX_PIXELS = 50_000_000
/** Maximum size of a preview, in pixels. */
const SIZE = { width: 320, height: 480 }

/** The image re-encoded as a small WebP. Throws if it cannot be decoded. */
export const preview = limited(({ bytes }: { bytes: Uint8Array }) =>
  sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
    .autoOrient()
    .resize({ ...SIZE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer(),
)

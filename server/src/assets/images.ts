import { stat } from 'node:fs/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import sharp, { type Metadata, type Sharp, type SharpOptions } from 'sharp'
import { Refusal } from '#lib/errors.ts'
import { hasPreview, SIZES } from './keys.ts'

/** Total pixels of all frames: about 400 MB while processing. */
const MAX_PIXELS = 100_000_000
const MAX_FRAMES = 1000
/** Maximum number of pixels, by file size in bytes: more than even an image of a single colour needs. */
const maxPixels = (size: number): number => Math.min(MAX_PIXELS, 20_000_000 + size * 1000)

/** Reads the header only; throws if the image is too large to decode, or the file is no image. */
export async function validateImage(file: string): Promise<void> {
  const { width, height, frames } = await shapeOf(file)
  const pixels = width * height * frames
  const { size } = await stat(file)
  if (pixels <= maxPixels(size) && frames <= MAX_FRAMES) return
  const isAboveLimit = pixels > MAX_PIXELS || frames > MAX_FRAMES
  const message =
    frames > 1
      ? reasonText(isAboveLimit ? 'imagePixelsInFrames' : 'imageDenseInFrames', { width, height, frames })
      : reasonText(isAboveLimit ? 'imagePixels' : 'imageDense', { width, height })
  throw new Refusal(413, 'tooLarge', message)
}

async function shapeOf(file: string): Promise<{ width: number; height: number; frames: number }> {
  const { width, height, pages = 1, pageHeight } = await metadataOf(file)
  return { width, height: pageHeight ?? height, frames: pages }
}

async function metadataOf(file: string): Promise<Metadata> {
  try {
    // Only reads the header, so that the size can be reported.
    return await sharp(file, { limitInputPixels: false }).metadata()
  } catch {
    throw new Refusal(415, 'mediaType', reasonText('notImage'))
  }
}

/** Output paths of an image and its smaller versions. */
export interface RenderedSizes {
  full: string
  small: string
  medium: string
}

/**
 * Renders what is served from the original, `source`: the image, upright and without metadata, and its smaller
 * versions. All are re-encoded, so that nothing but pixels gets through. Returns the dimensions; throws if it cannot be
 * decoded.
 */
export async function renderImageSizes(source: string, to: RenderedSizes): Promise<{ width: number; height: number }> {
  const info = await render(source, to.full, (image, format) => encoded(image, format), { animated: true })
  const dimensions = { width: info.width, height: info.pageHeight ?? info.height }
  const scale = (width: number) => (image: Sharp) =>
    image.resize({ width, height: width * 2, fit: 'inside', withoutEnlargement: true }).webp({ quality: 80 })
  await render(source, to.small, scale(SIZES.small))
  if (hasPreview(dimensions))
    await render(source, to.medium, (image) =>
      image.resize({ width: SIZES.medium, height: SIZES.medium, fit: 'inside' }).webp({ quality: 82 }),
    )
  return dimensions
}

async function render(
  source: string,
  file: string,
  change: (image: Sharp, format: string | undefined) => Sharp,
  options: SharpOptions = {},
) {
  const image = sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, ...options })
  const { format } = await sharp(source).metadata()
  return change(image.autoOrient(), format).toFile(file)
}

/** Encodes in the original format, at high quality. */
function encoded(image: Sharp, format: string | undefined): Sharp {
  if (format === 'jpeg') return image.jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
  if (format === 'png') return image.png()
  if (format === 'gif') return image.gif()
  if (format === 'webp') return image.webp({ quality: 92 })
  return image.avif({ quality: 75, effort: 2 })
}

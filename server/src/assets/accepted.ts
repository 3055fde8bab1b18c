import { open } from 'node:fs/promises'
import type { AssetType } from '@mokuroku/contract/assets'
import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'

export interface FileKind {
  type: AssetType
  mimeType: string
  extension: string
}

export function throwUnsupportedType(message = reasonText('fileType')): never {
  throw new Refusal(415, 'mediaType', message)
}

/** The brands of ISO base media files that hold sound or pictures, and no video. */
const NO_VIDEO = /^(M4A|M4B|avif|avis|mif1|msf1)/
/** Sound in a container that is usually for video, as its sender names it. */
const NAMED_SOUND = /\.(m4a|m4b|weba|oga)$/i

/**
 * Whether a file is a video by its first bytes, for all that can be known without examining it: its sender is refused
 * then, before anything else of the file is read, when they may not send videos.
 */
export async function seemsVideo(file: string, filename: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(12), 0, 12, 0)
    const head = buffer.toString('latin1', 0, bytesRead)
    const isVideo =
      head.startsWith('\x1a\x45\xdf\xa3') || (head.slice(4, 8) === 'ftyp' && !NO_VIDEO.test(head.slice(8)))
    return isVideo && !NAMED_SOUND.test(filename)
  } finally {
    await handle.close()
  }
}

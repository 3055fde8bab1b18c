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

/** Brands of ISO base media files that contain audio or images, but no video. */
const NO_VIDEO = /^(M4A|M4B|avif|avis|mif1|msf1)/
/** Names of audio files in a container that is usually used for video. */
const NAMED_SOUND = /\.(m4a|m4b|weba|oga)$/i

/**
 * Whether a file looks like a video, judged by its first bytes and its name only. Senders who may not upload videos are
 * thus refused before the file is examined.
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

import { openAsBlob } from 'node:fs'
import { open } from 'node:fs/promises'
import { fileTypeFromBlob } from 'file-type'
import { type FileKind, throwUnsupportedType } from './accepted.ts'
import { validateImage } from './images.ts'
import { probeAudioVideo } from './audioVideo.ts'

/** Accepted types, by detected content. None of them can execute code in a browser. */
const ACCEPTED: Record<string, FileKind> = {
  'image/jpeg': { type: 'IMAGE', mimeType: 'image/jpeg', extension: 'jpg' },
  'image/png': { type: 'IMAGE', mimeType: 'image/png', extension: 'png' },
  'image/apng': { type: 'IMAGE', mimeType: 'image/png', extension: 'png' },
  'image/gif': { type: 'IMAGE', mimeType: 'image/gif', extension: 'gif' },
  'image/webp': { type: 'IMAGE', mimeType: 'image/webp', extension: 'webp' },
  'image/avif': { type: 'IMAGE', mimeType: 'image/avif', extension: 'avif' },
  'video/mp4': { type: 'VIDEO', mimeType: 'video/mp4', extension: 'mp4' },
  'video/x-m4v': { type: 'VIDEO', mimeType: 'video/mp4', extension: 'mp4' },
  'video/quicktime': { type: 'VIDEO', mimeType: 'video/quicktime', extension: 'mov' },
  'video/webm': { type: 'VIDEO', mimeType: 'video/webm', extension: 'webm' },
  'audio/mpeg': { type: 'AUDIO', mimeType: 'audio/mpeg', extension: 'mp3' },
  'audio/mp4': { type: 'AUDIO', mimeType: 'audio/mp4', extension: 'm4a' },
  'audio/x-m4a': { type: 'AUDIO', mimeType: 'audio/mp4', extension: 'm4a' },
  'audio/ogg': { type: 'AUDIO', mimeType: 'audio/ogg', extension: 'ogg' },
  'audio/ogg; codecs=opus': { type: 'AUDIO', mimeType: 'audio/ogg', extension: 'ogg' },
  'audio/wav': { type: 'AUDIO', mimeType: 'audio/wav', extension: 'wav' },
  'audio/flac': { type: 'AUDIO', mimeType: 'audio/flac', extension: 'flac' },
  'audio/aac': { type: 'AUDIO', mimeType: 'audio/aac', extension: 'aac' },
}

/** Detects a file's type by its content alone. Throws 415 if it is not accepted or cannot be read. */
export async function detectFileType(file: string): Promise<FileKind> {
  // `fileTypeFromFile` loads a package by a name that bundlers cannot see.
  const blob = await openAsBlob(file)
  const found = await fileTypeFromBlob(blob).catch(() => undefined)
  const kind = ACCEPTED[found?.mime ?? '']
  if (!kind || (await holdsMarkup(file))) return throwUnsupportedType()
  if (kind.type === 'IMAGE') {
    await validateImage(file)
    return kind
  }
  return withTracks(kind, await probeAudioVideo(file))
}

/** Corrects the type by the tracks: a container for video may contain only audio, and vice versa. */
function withTracks(kind: FileKind, { hasVideo }: { hasVideo: boolean }): FileKind {
  const type = hasVideo ? 'VIDEO' : 'AUDIO'
  return { ...kind, type, mimeType: kind.mimeType.replace(/^\w+(?=\/(mp4|webm)$)/, type.toLowerCase()) }
}

/** How far into a file to search for markup, in bytes: further than browsers do. */
const HEAD = 64 * 1024
/**
 * The last alternative is a GIF that is also a script: its width is read as an operator, followed by an expression. A
 * control character, which no script may have there, is the width of a normal GIF: 61, 317 or 573 pixels.
 */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const MARKUP = /<(script|html|svg|body|iframe|object|!doctype)[\s>/]|<\?php|^GIF8[79]a(\/[*/]|=[^\0-\x08\x0e-\x1f])/i

/** Detects polyglots: files that are an image as well as a page or a script. */
async function holdsMarkup(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0)
    return MARKUP.test(buffer.toString('latin1', 0, bytesRead))
  } finally {
    await handle.close()
  }
}

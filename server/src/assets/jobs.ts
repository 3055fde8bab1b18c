// Examines untrusted files. Runs only in sandboxed processes of its own: everything exported here is called through the
// sandbox (inspect.ts), and no other file of the server may import what it imports.
import { limited } from '#sandbox/worker.ts'
import type { FileKind } from './accepted.ts'
import { detectFileType } from './fileTypes.ts'
import { type RenderedSizes, renderImageSizes } from './images.ts'
import { checkPackets, measureAudioVideo } from './audioVideo.ts'
import { stripMetadata } from './stripMetadata.ts'
import { sizeOf } from './fileStore.ts'

/** Detects the type of a file. Throws a Refusal for its sender. */
export const kind = limited(({ file }: { file: string }): Promise<FileKind> => detectFileType(file))

export const picture = limited(({ source, to }: { source: string; to: RenderedSizes }) => renderImageSizes(source, to))

/** Writes a recording without its metadata to `to`, if possible, and measures it. */
export const recording = limited(async ({ source, to }: { source: string; to: string }) => {
  await checkPackets(source, await sizeOf(source))
  const isScrubbed = await stripMetadata(source, to)
  return { isScrubbed, ...(await measureAudioVideo(isScrubbed ? to : source)) }
})

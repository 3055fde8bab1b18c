// What examines files that others sent. It runs in processes of their own alone: everything here is an export of the
// sandbox (inspect.ts), and no other file of the server may import what it needs.
import { limited } from '#sandbox/worker.ts'
import type { FileKind } from './accepted.ts'
import { detectFileType } from './fileTypes.ts'
import { type RenderedSizes, renderImageSizes } from './images.ts'
import { checkPackets, measureAudioVideo } from './audioVideo.ts'
import { stripMetadata } from './stripMetadata.ts'
import { sizeOf } from './fileStore.ts'

/** What a file is. Throws the refusal that its sender is told. */
export const kind = limited(({ file }: { file: string }): Promise<FileKind> => detectFileType(file))

export const picture = limited(({ source, to }: { source: string; to: RenderedSizes }) => renderImageSizes(source, to))

/** Writes a recording without its metadata to `to`, where that can be done, and measures it. */
export const recording = limited(async ({ source, to }: { source: string; to: string }) => {
  await checkPackets(source, await sizeOf(source))
  const isScrubbed = await stripMetadata(source, to)
  return { isScrubbed, ...(await measureAudioVideo(isScrubbed ? to : source)) }
})

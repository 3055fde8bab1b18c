// What examines files that others sent. It runs in processes of their own alone: everything here is an export of the
// sandbox (inspect.ts), and no other file of the server may import what it needs.
import { limited } from '#sandbox/worker.ts'
import type { FileKind } from './accepted.ts'
import { kindOf } from './kinds.ts'
import { type DrawnTo, drawPicture } from './pictures.ts'
import { checkPackets, measureRecording } from './recordings.ts'
import { scrub } from './scrub.ts'
import { sizeOf } from './storage.ts'

/** What a file is. Throws the refusal that its sender is told. */
export const kind = limited(({ file }: { file: string }): Promise<FileKind> => kindOf(file))

export const picture = limited(({ source, to }: { source: string; to: DrawnTo }) => drawPicture(source, to))

/** Writes a recording without its metadata to `to`, where that can be done, and measures it. */
export const recording = limited(async ({ source, to }: { source: string; to: string }) => {
  await checkPackets(source, await sizeOf(source))
  const isScrubbed = await scrub(source, to)
  return { isScrubbed, ...(await measureRecording(isScrubbed ? to : source)) }
})

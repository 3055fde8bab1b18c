import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { costsTooMuch, type Limits, sandbox } from '#sandbox/sandbox.ts'
import type { FileKind } from './accepted.ts'
import type * as jobs from './jobs.ts'
import { sizeOf } from './fileStore.ts'

const run = sandbox<typeof jobs>(new URL('./jobs.ts', import.meta.url))

const MB = 1024 * 1024
/** The header of a file is read: an honest one takes a hundredth of this. */
const CHECK_LIMITS: Limits = { cpuMs: 3000, memoryMB: 768 }
/** 100 million pixels are drawn three times; several for each pixel are held at once. */
const RENDER_LIMITS: Limits = { cpuMs: 120_000, memoryMB: 2048 }
/** A recording is read several times and written once. */
const prepareLimits = (size: number): Limits => ({ cpuMs: 3000 + (size / (4 * MB)) * 1000, memoryMB: 768 })

/** What a whole file is. Throws the refusal for its sender, also for one that cannot be examined within the limits. */
export async function inspectKind(file: string): Promise<FileKind> {
  try {
    return await run('kind', { file }, CHECK_LIMITS)
  } catch (error) {
    throw costsTooMuch(error) ? new Refusal(415, 'mediaType', reasonText('fileCostly')) : error
  }
}

/** Draws what is served of a picture. Throws what cannot be decoded. */
export const renderImage = (source: string, to: { full: string; small: string; medium: string }) =>
  run('picture', { source, to }, RENDER_LIMITS)

/** Measures a recording, and writes it to `to` without its metadata where that can be done. */
export const prepareAudioVideo = async (source: string, to: string) =>
  run('recording', { source, to }, prepareLimits(await sizeOf(source)))

import { reasonText } from '@mokuroku/contract/reasons'
import { Refusal } from '#lib/errors.ts'
import { costsTooMuch, type Limits, sandbox } from '#sandbox/sandbox.ts'
import type { FileKind } from './accepted.ts'
import type * as jobs from './jobs.ts'
import { sizeOf } from './fileStore.ts'

const run = sandbox<typeof jobs>(new URL('./jobs.ts', import.meta.url))

const MB = 1024 * 1024
/** Only the header of a file is read: normal files use a hundredth of this. */
const CHECK_LIMITS: Limits = { cpuMs: 3000, memoryMB: 768 }
/** 100 million pixels are rendered three times, and several bytes per pixel are in memory at once. */
const RENDER_LIMITS: Limits = { cpuMs: 120_000, memoryMB: 2048 }
/** A recording is read several times and written once. `size` is in bytes. */
const prepareLimits = (size: number): Limits => ({ cpuMs: 3000 + (size / (4 * MB)) * 1000, memoryMB: 768 })

/** Detects the type of a complete file. Throws a Refusal for the sender, also if it exceeds the resource limits. */
export async function inspectKind(file: string): Promise<FileKind> {
  try {
    return await run('kind', { file }, CHECK_LIMITS)
  } catch (error) {
    throw costsTooMuch(error) ? new Refusal(415, 'mediaType', reasonText('fileCostly')) : error
  }
}

/** Renders the served versions of an image. Throws if it cannot be decoded. */
export const renderImage = (source: string, to: { full: string; small: string; medium: string }) =>
  run('picture', { source, to }, RENDER_LIMITS)

/** Measures a recording, and writes it to `to` without its metadata if possible. */
export const prepareAudioVideo = async (source: string, to: string) =>
  run('recording', { source, to }, prepareLimits(await sizeOf(source)))

import { daysBefore } from './seed.ts'
import { traits, warnings } from './tagsOfContent.ts'
import { decades, formats, own, seasons } from './tagsOfRelease.ts'
import { genres, themes } from './tagsOfStories.ts'
import type { SampleTag } from './types.ts'

/** Every tag of the sample; a parent always stands before its children. */
export function sampleTags(): SampleTag[] {
  const tags = [
    ...genres(),
    ...themes(),
    ...traits(),
    ...warnings(),
    ...formats(),
    ...seasons(),
    ...decades(),
    ...own(),
  ]
  return tags.map((one, index) => ({ ...one, createdAt: daysBefore(80 - index / 100) }))
}

import * as z from 'zod/mini'
import { BatchStarted } from './bulk.ts'
import { Id, text, Version } from './common.ts'
import { SENTENCES } from './faults.ts'
import { type KindWith, pathOf, type PathOf } from './kinds.ts'
import { post } from './route.ts'

/** Whose value a merge keeps: that of the entity that goes, or that of the one that stays. */
export const MERGE_SIDES = ['from', 'survivor'] as const
export type MergeSide = (typeof MERGE_SIDES)[number]

/** So many entities are changed by one merge at most: what one transaction does in a few seconds. */
export const MAX_MERGED_USES = 5000
/** So many decisions are named at most. */
const MAX_PICKS = 2000

export const MergeInput = z.strictObject({
  /** What goes, and the version in which the user saw it. */
  from: z.strictObject({ _id: Id, version: Version }),
  /**
   * By path (`releaseDate`, `translations.en`, `translations.en.title`) which side wins. Where nothing is said, the survivor
   * does, unless it has nothing there. Lists are united whatever is said of them.
   */
  pick: z._default(
    z
      .record(text(200), z.enum(MERGE_SIDES))
      .check(z.refine((pick) => Object.keys(pick).length <= MAX_PICKS, SENTENCES.picksMany)),
    {},
  ),
})
export type MergeInput = z.output<typeof MergeInput>

/**
 * Makes one entity a part of another of its kind, which `If-Match` names the version of. Answers the batch that takes it
 * back for as long as the trash keeps what went.
 */
export const merging = <Kind extends KindWith<'texts'>>(kind: Kind) =>
  post(`${pathOf(kind) as PathOf<Kind>}/:id/merge`, { body: MergeInput, response: BatchStarted })

import * as z from 'zod/mini'
import { BatchStarted } from './bulk.ts'
import { Id, text, Version } from './common.ts'
import { SENTENCES } from './faults.ts'
import { type KindWith, pathOf, type PathOf } from './kinds.ts'
import { post } from './route.ts'

/** Whose value a merge keeps: that of the entity that is merged away, or that of the survivor. */
const MERGE_SIDES = ['from', 'survivor'] as const
export type MergeSide = (typeof MERGE_SIDES)[number]

/** The maximum number of entities that one merge changes: as many as one transaction can change in a few seconds. */
export const MAX_MERGED_USES = 5000
/** The maximum number of paths in `pick`. */
const MAX_PICKS = 2000

export const MergeInput = z.strictObject({
  /** The entity that is merged away, and the version of it that the user saw. */
  from: z.strictObject({ _id: Id, version: Version }),
  /**
   * Which side wins, by path (`releaseDate`, `translations.en`, `translations.en.title`). By default the survivor wins,
   * unless it has no value. Lists are always combined.
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
 * Merges an entity into another of the same kind, the survivor, whose version is in `If-Match`. Returns the batch whose
 * rollback undoes the merge, as long as the merged entity is in the trash.
 */
export const merging = <Kind extends KindWith<'texts'>>(kind: Kind) =>
  post(`${pathOf(kind) as PathOf<Kind>}/:id/merge`, { body: MergeInput, response: BatchStarted, versioned: true })

/**
 * The fields, beside those of every error, of a response with the code `merged`: a 308 to a read of a merged entity, and
 * a 409 to a write of it.
 */
export interface MergedAnswer {
  /** The merged entity. */
  from: string
  /** The last survivor, if that was merged further. */
  into: string
  /** The batch that merged `from`; its rollback undoes that. */
  batch: string
}

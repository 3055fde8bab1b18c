import * as z from 'zod/mini'
import { NamesByLanguage, WholeNumber } from './common.ts'

/** The maximum number of uses by one kind that are counted. */
export const MAX_COUNTED_USES = 10_000

/**
 * Where an entity is used. An entity that uses it in two fields is one use: it is counted and listed once, with both
 * fields. `first`: the first few media and characters that use it, and accounts whose avatar it is.
 */
export const Uses = z.object({
  total: WholeNumber,
  /** `isAtLeast`: there may be more of the kind than were counted. */
  by: z.array(
    z.object({ entityType: z.string(), fields: z.array(z.string()), count: WholeNumber, isAtLeast: z.boolean() }),
  ),
  first: z.array(
    z.object({
      entityType: z.string(),
      entityId: z.string(),
      title: z.string(),
      /** Its title or name by language; absent for kinds whose names have no language. */
      translations: z.optional(NamesByLanguage),
      fields: z.array(z.string()),
    }),
  ),
})
export type Uses = z.output<typeof Uses>

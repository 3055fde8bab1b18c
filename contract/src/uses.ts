import * as z from 'zod/mini'

/** No more than this is looked at to count the uses by one kind. */
export const MAX_COUNTED_USES = 10_000

/**
 * Where an entity is used. A thing that uses it in two fields is one use: it counts once and is named once, with both
 * fields. `first` names the first few media and characters.
 */
export const Uses = z.object({
  total: z.number(),
  /** `isAtLeast`: there may be more of the kind than were counted. */
  by: z.array(
    z.object({ entityType: z.string(), fields: z.array(z.string()), count: z.number(), isAtLeast: z.boolean() }),
  ),
  first: z.array(
    z.object({ entityType: z.string(), entityId: z.string(), title: z.string(), fields: z.array(z.string()) }),
  ),
})
export type Uses = z.output<typeof Uses>

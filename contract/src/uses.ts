import * as z from 'zod/mini'

/** No kind is counted beyond this: a count that reaches it means "at least". */
export const MAX_COUNTED_USES = 10_000

/**
 * Where an entity is used. A thing that uses it in two fields is one use: it counts once and is named once, with both
 * fields. `first` names the first few media and characters.
 */
export const Uses = z.object({
  total: z.number(),
  by: z.array(z.object({ entityType: z.string(), fields: z.array(z.string()), count: z.number() })),
  first: z.array(
    z.object({ entityType: z.string(), entityId: z.string(), title: z.string(), fields: z.array(z.string()) }),
  ),
})
export type Uses = z.output<typeof Uses>

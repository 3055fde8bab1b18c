import * as z from 'zod/mini'

/** Where an entity is used: how often by kind and field, and the first few by name. */
export const Uses = z.object({
  total: z.number(),
  by: z.array(z.object({ entityType: z.string(), field: z.string(), count: z.number() })),
  first: z.array(z.object({ entityType: z.string(), entityId: z.string(), title: z.string() })),
})
export type Uses = z.output<typeof Uses>

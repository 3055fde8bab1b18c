import * as z from 'zod/mini'
import { Id } from './common.ts'
import { KINDS } from './kinds.ts'

/** How many of those who have something open are named; the others are counted. */
export const MAX_NAMED_EDITORS = 5

/** What an editor has open; both, or nothing. */
export const openedQuery = { entityType: z.optional(z.enum(KINDS)), entityId: z.optional(Id) }

/** Who else has it open in an editor, of those who may edit it. */
export const Editors = z.object({
  entityId: z.string(),
  people: z.array(z.object({ _id: z.string(), username: z.string(), avatar: z.string() })),
  count: z.number(),
})
export type Editors = z.output<typeof Editors>

/** Which version it has now. */
export const Newest = z.object({ entityId: z.string(), version: z.number() })

/** Without an id: a client that lost the stream is told anew. */
export const PRESENCE_EVENTS = [
  z.object({ event: z.literal('editors'), data: Editors }),
  z.object({ event: z.literal('version'), data: Newest }),
] as const
export type PresenceEvent = z.output<(typeof PRESENCE_EVENTS)[number]>

import * as z from 'zod/mini'
import { Id, WholeNumber } from './common.ts'
import { KINDS } from './kinds.ts'

/** The maximum number of editors that are named; further ones are only counted. */
export const MAX_NAMED_EDITORS = 5

/** The entity that is open in the caller's editor: both parameters, or neither. */
export const openedQuery = { entityType: z.optional(z.enum(KINDS)), entityId: z.optional(Id) }

/** Who else has the entity open in an editor; only users who may edit it are included. */
export const Editors = z.object({
  entityId: z.string(),
  people: z.array(z.object({ _id: z.string(), username: z.string(), avatar: z.string() })),
  count: WholeNumber,
})
export type Editors = z.output<typeof Editors>

/** The current version of the entity. */
const Newest = z.object({ entityId: z.string(), version: WholeNumber })

/** These events have no id: after a reconnect, the current state is sent again. */
export const PRESENCE_EVENTS = [
  z.object({ event: z.literal('editors'), data: Editors }),
  z.object({ event: z.literal('version'), data: Newest }),
] as const
export type PresenceEvent = z.output<(typeof PRESENCE_EVENTS)[number]>

import * as z from 'zod/mini'
import { entityFields, SuccessResponse, text } from './common.ts'
import { SENTENCES } from './faults.ts'
import { TRANSLATED_KINDS } from './kinds.ts'
import { Columns } from './preferences.ts'
import { FilterTexts } from './lists.ts'
import { del, get, post, put } from './route.ts'

/** The maximum number of views per user. */
export const MAX_VIEWS = 200
/** The maximum number of shared views per user who is neither a moderator nor an administrator. */
export const MAX_SHARED_VIEWS = 20

export const ViewInput = z.strictObject({
  name: text(80).check(z.trim(), z.minLength(1, SENTENCES.nameRequired)),
  entityType: z.enum(TRANSLATED_KINDS),
  filters: z._default(FilterTexts, {}),
  sort: z._default(z.nullable(text(40)), null),
  /** The keys of the visible columns, in order; empty for the default columns. */
  columns: z._default(Columns, []),
  /** Whether all users can use it. */
  shared: z._default(z.boolean(), false),
})
export type ViewInput = z.output<typeof ViewInput>

/** A saved view: the filters, sort order and columns of a list. */
export const View = z.object({
  ...entityFields,
  name: z.string(),
  entityType: z.enum(TRANSLATED_KINDS),
  filters: z.record(z.string(), z.string()),
  sort: z.nullable(z.string()),
  columns: z.array(z.string()),
  shared: z.boolean(),
  createdBy: z.string(),
  /** The username of its creator. */
  username: z.string(),
  /** Whether the caller may change and delete it. */
  canEdit: z.boolean(),
})
export type View = z.output<typeof View>

export const viewsApi = {
  /** The caller's own views and those that others share, sorted by name. */
  list: get('/api/views', {
    query: z.strictObject({ entityType: z.optional(z.enum(TRANSLATED_KINDS)) }),
    response: z.object({ data: z.array(View) }),
  }),
  find: get('/api/views/:id', { response: View }),
  create: post('/api/views', { body: ViewInput, response: View, status: 201, idempotent: true }),
  /** For its creator and administrators. */
  update: put('/api/views/:id', { body: ViewInput, response: View, versioned: true }),
  remove: del('/api/views/:id', { response: SuccessResponse }),
}

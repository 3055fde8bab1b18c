import * as z from 'zod/mini'
import { text } from './common.ts'
import { TRASH_KINDS } from './kinds.ts'

/** The keys of the columns that a list shows, in their order; none for the usual ones. */
export const Columns = z.array(text(40)).check(z.maxLength(30))

/** The two views of the document that an editor edits. */
export const EDITOR_VIEWS = ['form', 'json'] as const
export type EditorView = (typeof EDITOR_VIEWS)[number]

/** What a person chose for the screens: it follows them from one browser to another. */
export const Preferences = z.strictObject({
  /** By kind, the columns of its list; kinds that are left out show the usual ones. */
  columns: z.partialRecord(z.enum(TRASH_KINDS), Columns),
  /** How entries are edited; left out, as JSON. */
  editor: z.optional(z.enum(EDITOR_VIEWS)),
})
export type Preferences = z.output<typeof Preferences>

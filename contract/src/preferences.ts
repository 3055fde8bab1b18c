import * as z from 'zod/mini'
import { distinct, text } from './common.ts'
import { TRASH_KINDS } from './kinds.ts'

/** The keys of the columns of a list, in order; empty for the default columns. */
export const Columns = z.array(text(40)).check(z.maxLength(30), distinct())

/** The two ways to edit a document: as a form or as JSON. */
export const EDITOR_VIEWS = ['form', 'json'] as const
export type EditorView = (typeof EDITOR_VIEWS)[number]

/** A user's display preferences. They are stored with the account, so they apply in every browser. */
export const Preferences = z.strictObject({
  /** The columns of the list, by kind; omitted kinds show the default columns. */
  columns: z.partialRecord(z.enum(TRASH_KINDS), Columns),
  /** How entries are edited; the default is JSON. */
  editor: z.optional(z.enum(EDITOR_VIEWS)),
})
export type Preferences = z.output<typeof Preferences>

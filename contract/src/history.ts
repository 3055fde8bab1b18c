import * as z from 'zod/mini'
import { SENTENCES } from './faults.ts'
import { Id, LanguageTag, Moment, NamesByLanguage, offset, text, Timestamp, WholeNumber } from './common.ts'
import { TRANSLATED_KINDS, type Translated } from './kinds.ts'
import { AiRun } from './provenance.ts'
import { get, post } from './route.ts'

export const ORIGINS = ['person', 'import', 'ai', 'rollback', 'system'] as const

const ENTITY_STATES = ['present', 'trashed', 'gone'] as const

/** The change of one text by one write. */
export const HistoryEntry = z.object({
  _id: z.string(),
  entityType: z.enum(TRANSLATED_KINDS),
  entityId: z.string(),
  /** The current title; '' if the entity has none. */
  entityTitle: z.string(),
  /** Its title or name by language; absent if the caller may not see the entity. */
  entityTranslations: z.optional(NamesByLanguage),
  language: z.string(),
  field: z.string(),
  oldValue: z.string(),
  newValue: z.string(),
  updatedBy: z.string(),
  updatedById: z.nullable(z.string()),
  isRolledBack: z.boolean(),
  /** The state of the entity. Only changes of present entities can be rolled back; `gone` ones only have a history. */
  entityState: z.enum(ENTITY_STATES),
  /** Whether the caller may restore the entity from the trash. */
  canRestore: z.boolean(),
  rolledBackBy: z.nullable(z.string()),
  rollbackReason: z.nullable(z.string()),
  rolledBackAt: z.nullable(Moment),
  createdAt: Moment,
  /** Where the write came from. */
  origin: z.enum(ORIGINS),
  batch: z.nullable(z.string()),
  /** The AI answer that this text comes from. */
  ai: z.optional(AiRun),
})
export type HistoryEntry = z.output<typeof HistoryEntry>

export const HistoryQuery = z.object({
  ...offset(20),
  language: z.optional(LanguageTag),
  entityType: z.optional(z.enum(TRANSLATED_KINDS)),
})

export const HistoryStatistics = z.object({
  totalCount: WholeNumber,
  rolledBackCount: WholeNumber,
  /** By the kind in lower case: `media`, `character`, `tag`. */
  byEntityType: z.object(
    Object.fromEntries(TRANSLATED_KINDS.map((kind) => [kind.toLowerCase(), WholeNumber])) as Record<
      Lowercase<Translated>,
      z.ZodMiniNumber
    >,
  ),
})

export const Reason = text(500).check(z.trim(), z.minLength(1, SENTENCES.reason))

/** `current`: the current text, if it is no longer the one that the entry wrote. Confirms overwriting it. */
export const RollbackInput = z.strictObject({ reason: Reason, current: z.optional(z.string()) })
export type RollbackInput = z.output<typeof RollbackInput>

export type HistoryStatistics = z.output<typeof HistoryStatistics>

/** Selects the changes of one user in a period (inclusive), or those of one batch. */
export const BatchRollbackInput = z
  .strictObject({
    reason: Reason,
    by: z.optional(
      z.strictObject({
        username: text(60),
        from: Timestamp,
        to: Timestamp,
      }),
    ),
    batch: z.optional(Id),
    dryRun: z._default(z.boolean(), false),
  })
  .check(z.refine(({ by, batch }) => (by === undefined) !== (batch === undefined), SENTENCES.byOrBatch))
export type BatchRollbackInput = z.output<typeof BatchRollbackInput>

export const SKIP_REASONS = ['rolledBack', 'changed', 'deleted', 'forbidden'] as const

export const BatchRollback = z.object({
  success: z.boolean(),
  dryRun: z.boolean(),
  /** The batch id of this rollback's revisions; null for a preview, and if nothing was rolled back. */
  batch: z.nullable(z.string()),
  count: WholeNumber,
  /** Newest first: from `newValue` back to `oldValue`. */
  changes: z.array(HistoryEntry),
  skipped: z.array(z.object({ entry: HistoryEntry, why: z.enum(SKIP_REASONS), message: z.string() })),
})
export type BatchRollback = z.output<typeof BatchRollback>

export const historyApi = {
  recent: get('/api/translation-history/recent', {
    query: HistoryQuery,
    response: z.object({ data: z.array(HistoryEntry) }),
    cached: true,
  }),
  statistics: get('/api/translation-history/statistics', { response: HistoryStatistics }),
  rollback: post('/api/translation-history/rollback/:id', {
    body: RollbackInput,
    response: z.object({ success: z.boolean(), data: HistoryEntry }),
  }),
  rollbackAll: post('/api/translation-history/rollback', { body: BatchRollbackInput, response: BatchRollback }),
}

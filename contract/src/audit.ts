import * as z from 'zod/mini'
import { Id, Moment, Timestamp, text, WholeNumber, wholeParam } from './common.ts'
import { get, post } from './route.ts'

/** The actions that the audit log records, by area. An action is named `area.what`. */
export const AUDIT_ACTIONS = {
  /** `out`: signed out. `limited`: rejected without checking the password, after too many attempts. */
  signIn: ['signIn.done', 'signIn.failed', 'signIn.limited', 'signIn.out'],
  account: [
    'account.sessionEnded',
    'account.sessionsEnded',
    'account.passwordChanged',
    'account.confirmed',
    'account.resetAsked',
    'account.passwordReset',
    'account.invited',
    'account.invitationAccepted',
  ],
  /** `forbidden`: no permission. `limited`: too many calls (rate limit). */
  access: ['access.forbidden', 'access.limited'],
  settings: ['settings.read', 'settings.changed', 'settings.tested', 'settings.jobChanged'],
  users: ['users.created', 'users.changed', 'users.deleted', 'users.restored'],
  tiers: ['tiers.created', 'tiers.changed', 'tiers.deleted', 'tiers.restored'],
  ai: ['ai.called'],
  /**
   * `purged`: one entity was deleted permanently. `emptied`: entities that had been in the trash for 30 days were.
   * `versions`, `activities`: those past the retention period of the settings were deleted.
   */
  trash: ['trash.purged', 'trash.emptied', 'trash.versions', 'trash.activities'],
  /** A rollback of several texts at once. */
  history: ['history.rolledBack'],
  /** A finding was dismissed, or its dismissal was undone. */
  findings: ['findings.dismissed', 'findings.reopened'],
  /** Comments on an entity. */
  comments: ['comments.written', 'comments.changed', 'comments.resolved', 'comments.reopened', 'comments.deleted'],
  /** Saved views of a list. */
  views: ['views.created', 'views.changed', 'views.deleted'],
  /** A batch ended: done, failed or cancelled. */
  batches: ['batches.ended'],
  /** Two entities were merged into one. */
  merges: ['merges.done'],
  /** The audit log itself. `deleted`: entries past the retention period of the settings were deleted. */
  audit: ['audit.exported', 'audit.verified', 'audit.deleted'],
  /** An operator ran a command on the server. */
  operator: ['operator.ran'],
} as const
export type AuditArea = keyof typeof AUDIT_ACTIONS
export type AuditAction = (typeof AUDIT_ACTIONS)[AuditArea][number]

export const AUDIT_AREAS = Object.keys(AUDIT_ACTIONS) as AuditArea[]
const ACTIONS = Object.values(AUDIT_ACTIONS).flat()

/** `failed`: attempted without success. `refused`: rejected before it was attempted. */
export const OUTCOMES = ['ok', 'failed', 'refused'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** An entry as it is hashed. Absent values are ''; names are those at the time of the event. */
export const AuditEntry = z.object({
  /** The position in the hash chain: 1, 2, 3, … */
  seq: WholeNumber,
  _id: z.string(),
  createdAt: Moment,
  area: z.enum(AUDIT_AREAS),
  action: z.enum(ACTIONS),
  outcome: z.enum(OUTCOMES),
  /** The user who did it: '' for a visitor, 'system' for the server itself. */
  actorId: z.string(),
  actorName: z.string(),
  session: z.string(),
  address: z.string(),
  userAgent: z.string(),
  /** The entity that was affected. For a failed sign-in, `label` is the email address as it was typed. */
  entityType: z.string(),
  entityId: z.string(),
  label: z.string(),
  /** Further details, without secrets; `count` if the entry stands for that many identical events. */
  details: z.record(z.string(), z.unknown()),
  /** SHA-256, in hex, of the previous entry's hash, a newline, and this entry as canonical JSON. */
  hash: z.string(),
})
export type AuditEntry = z.output<typeof AuditEntry>

/** An entry as it is displayed: `avatar` is the actor's current one, if any. */
export const AuditRow = z.object({ ...AuditEntry.shape, avatar: z.string() })
export type AuditRow = z.output<typeof AuditRow>

const filters = {
  area: z.optional(z.enum(AUDIT_AREAS)),
  outcome: z.optional(z.enum(OUTCOMES)),
  actor: z.optional(Id),
  /** The id of the affected entity. */
  target: z.optional(Id),
  /** At or after this moment. */
  from: z.optional(Timestamp),
  /** Before this moment (exclusive). */
  to: z.optional(Timestamp),
  /** A part of the actor's name, of the label of the affected entity, or of the IP address. */
  search: z.optional(text(200).check(z.trim())),
}

const Seq = wholeParam(0, 2_147_483_647)

/** Cursor pagination, newest first: the entries just before or just after an entry; without either, the newest. */
export const AuditQuery = z.object({
  ...filters,
  before: z.optional(Seq),
  after: z.optional(Seq),
  limit: z.prefault(wholeParam(1, 100), 50),
})

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const
export const AuditExportQuery = z.object({ ...filters, format: z.enum(EXPORT_FORMATS) })

export const AuditPage = z.object({
  data: z.array(AuditRow),
  /** The cursors of the adjacent pages, null at the end: `before` for older entries, `after` for newer ones. */
  older: z.nullable(z.number()),
  newer: z.nullable(z.number()),
})
export type AuditPage = z.output<typeof AuditPage>

/**
 * What can be wrong with the hash chain at an entry. `changed`, `missing`: it was altered or removed. `added`: it was
 * not written by the server. `head`: the stored end of the chain does not match. `deleted`: no entry records that the
 * entries up to here were deleted because of their age.
 */
export const CHAIN_FAULTS = ['changed', 'missing', 'added', 'head', 'deleted'] as const

/** The length and the end of the hash chain, and the result of the last verification. */
export const ChainState = z.object({
  /** The number of entries in the log. */
  entries: WholeNumber,
  /** The last entry that was deleted after the retention period; 0 while none was. */
  deletedSeq: WholeNumber,
  /** The hash of the last entry. A copy stored elsewhere proves that nothing up to that entry was changed since. */
  hash: z.string(),
  checked: z.nullable(
    z.object({
      at: z.string(),
      by: z.string(),
      entries: WholeNumber,
      broken: z.optional(z.object({ seq: WholeNumber, code: z.enum(CHAIN_FAULTS) })),
    }),
  ),
})
export type ChainState = z.output<typeof ChainState>

/** For administrators only. */
export const auditApi = {
  list: get('/api/audit', { query: AuditQuery, response: AuditPage }),
  state: get('/api/audit/state', { response: ChainState }),
  /** Verifies the whole hash chain. */
  verify: post('/api/audit/verify', { response: ChainState }),
  /** All matching entries, oldest first: CSV for people, or NDJSON with the entries as they were hashed, to verify. */
  export: get('/api/audit/export', {
    query: AuditExportQuery,
    response: z.string(),
    file: ['text/csv', 'application/x-ndjson'],
  }),
}

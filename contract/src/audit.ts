import * as z from 'zod/mini'
import { Id, Timestamp, text } from './common.ts'
import { get, post } from './route.ts'

/** What is kept of who did what, by area. An action's name is `area.what`. */
export const AUDIT_ACTIONS = {
  /** `out`: signed out. `limited`: too many tries, so that this one was not even looked at. */
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
  /** `forbidden`: may not. `limited`: too many calls. */
  access: ['access.forbidden', 'access.limited'],
  settings: ['settings.read', 'settings.changed', 'settings.tested', 'settings.jobChanged'],
  users: ['users.created', 'users.changed', 'users.deleted', 'users.restored'],
  tiers: ['tiers.created', 'tiers.changed', 'tiers.deleted', 'tiers.restored'],
  ai: ['ai.called'],
  /**
   * `purged`: one thing deleted for good. `emptied`: what had been in the trash for 30 days. `versions` and
   * `activities`: those that were older than the settings have them kept.
   */
  trash: ['trash.purged', 'trash.emptied', 'trash.versions', 'trash.activities'],
  /** Many texts at once. */
  history: ['history.rolledBack'],
  /** What somebody called no problem, and took back. */
  findings: ['findings.dismissed', 'findings.reopened'],
  /** What people say about an entity. */
  comments: ['comments.written', 'comments.changed', 'comments.resolved', 'comments.reopened', 'comments.deleted'],
  /** Lists that somebody saved. */
  views: ['views.created', 'views.changed', 'views.deleted'],
  /** Many entities at once: done, failed, or cancelled. */
  batches: ['batches.ended'],
  /** Two entities that became one. */
  merges: ['merges.done'],
  /** The audit log itself. `deleted`: entries that were older than the settings have them kept. */
  audit: ['audit.exported', 'audit.verified', 'audit.deleted'],
  /** A command of the operator, at the server itself. */
  operator: ['operator.ran'],
} as const
export type AuditArea = keyof typeof AUDIT_ACTIONS
export type AuditAction = (typeof AUDIT_ACTIONS)[AuditArea][number]

export const AUDIT_AREAS = Object.keys(AUDIT_ACTIONS) as AuditArea[]
const ACTIONS = Object.values(AUDIT_ACTIONS).flat()

/** `failed`: it was tried, and did not succeed. `refused`: it was not let through. */
export const OUTCOMES = ['ok', 'failed', 'refused'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** An entry as it is hashed. '' stands for what there is none of; names are as they were then. */
export const AuditEntry = z.object({
  /** 1, 2, 3, …: the place in the chain. */
  seq: z.number(),
  _id: z.string(),
  createdAt: z.string(),
  area: z.enum(AUDIT_AREAS),
  action: z.enum(ACTIONS),
  outcome: z.enum(OUTCOMES),
  /** Who did it: '' for a visitor, 'system' for the product itself. */
  actorId: z.string(),
  actorName: z.string(),
  session: z.string(),
  address: z.string(),
  userAgent: z.string(),
  /** What it was done to. Of a sign-in that failed, `label` is the address as it was typed. */
  entityType: z.string(),
  entityId: z.string(),
  label: z.string(),
  /** What else is to be said; `count` where the entry stands for so many of the same. No secret. */
  details: z.record(z.string(), z.unknown()),
  /** SHA-256, in hex, of the hash before it, a line end, and the entry as canonical JSON. */
  hash: z.string(),
})
export type AuditEntry = z.output<typeof AuditEntry>

/** An entry as it is shown: `avatar` is the actor's, if there still is one. */
export const AuditRow = z.object({ ...AuditEntry.shape, avatar: z.string() })
export type AuditRow = z.output<typeof AuditRow>

const filters = {
  area: z.optional(z.enum(AUDIT_AREAS)),
  outcome: z.optional(z.enum(OUTCOMES)),
  actor: z.optional(Id),
  /** The id of what it was done to. */
  target: z.optional(Id),
  /** From this moment on. */
  from: z.optional(Timestamp),
  /** Up to this moment, not included. */
  to: z.optional(Timestamp),
  /** A part of who, of what it was done to, or of a network address. */
  search: z.optional(text(200).check(z.trim())),
}

const Seq = z.coerce.number().check(z.int(), z.gte(0), z.lte(2_147_483_647))

/** Newest first: those before an entry, or the ones next after it; without either, the newest. */
export const AuditQuery = z.object({
  ...filters,
  before: z.optional(Seq),
  after: z.optional(Seq),
  limit: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(100)), 50),
})

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const
export const AuditExportQuery = z.object({ ...filters, format: z.enum(EXPORT_FORMATS) })

export const AuditPage = z.object({
  data: z.array(AuditRow),
  /** Where to go on, if there is more: `before` for what is older, `after` for what is newer. */
  older: z.nullable(z.number()),
  newer: z.nullable(z.number()),
})
export type AuditPage = z.output<typeof AuditPage>

/**
 * What can be wrong with the chain at an entry. `added`: one that was not written by the product. `deleted`: no entry
 * tells that those up to here were deleted by their age.
 */
export const CHAIN_FAULTS = ['changed', 'missing', 'added', 'head', 'deleted'] as const

/** How long the chain is and how it ends; how the last check of it went. */
export const ChainState = z.object({
  /** That are kept. */
  entries: z.number(),
  /** The last that is not kept any more, as it was older than the settings say; 0 while all are. */
  deletedSeq: z.number(),
  /** Of the last entry. Kept elsewhere, it proves that nothing up to there was changed since. */
  hash: z.string(),
  checked: z.nullable(
    z.object({
      at: z.string(),
      by: z.string(),
      entries: z.number(),
      broken: z.optional(z.object({ seq: z.number(), code: z.enum(CHAIN_FAULTS) })),
    }),
  ),
})
export type ChainState = z.output<typeof ChainState>

/** For administrators alone. */
export const auditApi = {
  list: get('/api/audit', { query: AuditQuery, response: AuditPage }),
  state: get('/api/audit/state', { response: ChainState }),
  /** Checks the whole chain. */
  verify: post('/api/audit/verify', { response: ChainState }),
  /** All that fits, oldest first: a table for people, or the entries as they were hashed, for checking. */
  export: get('/api/audit/export', {
    query: AuditExportQuery,
    response: z.string(),
    file: ['text/csv', 'application/x-ndjson'],
  }),
}

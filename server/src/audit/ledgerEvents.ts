import type { AuditAction } from '@mokuroku/contract/audit'
import type { Document } from '@mokuroku/contract/merge'
import type { Action } from '#ledger/definition.ts'
import type { Watched } from '#ledger/record.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import type { AuditEvent } from './append.ts'

/** The audit actions for writes of these kinds. Of all other kinds, only permanent deletions are logged. */
const ACTIONS: Partial<Record<Kind, Partial<Record<Action, AuditAction>>>> = {
  User: { create: 'users.created', update: 'users.changed', delete: 'users.deleted', restore: 'users.restored' },
  Tier: { create: 'tiers.created', update: 'tiers.changed', delete: 'tiers.deleted', restore: 'tiers.restored' },
  Setting: { update: 'settings.changed' },
}

/** The reason given when an invited user chooses the first password. */
export const ACCEPTED = 'Chosen with the link of an invitation'

/** Account fields that are logged with their old and new values, since they decide what the account may do. */
const SECURITY_FIELDS = ['role', 'isActive', 'scores'] as const

/** The audit events for a change written by the ledger. */
export function auditEvents({ kind, action, meta, before, after, context, paths, title }: Watched): AuditEvent[] {
  const { actor, origin, reason } = context
  const about = { type: kind, id: meta._id, label: title }
  const how = { ...(origin && origin !== 'person' && { origin }), ...(reason && { reason }) }
  if (action === 'purge') return [{ action: 'trash.purged', actor, about, details: how }]
  const done = ACTIONS[kind]?.[action]
  if (!done) return []
  const changed = paths.filter((path) => path !== 'passwordHash')
  const details = { ...how, ...(action === 'update' && { changed, ...securityChanges(before, after) }) }
  const isPassword = action === 'update' && changed.length < paths.length
  return [
    ...(isPassword ? [{ action: passwordBy(reason), actor, about, details: how }] : []),
    ...(action !== 'update' || changed.length > 0 ? [{ action: done, actor, about, details }] : []),
  ]
}

function securityChanges(before: Document = {}, after: Document = {}): Document {
  const changes = SECURITY_FIELDS.filter((name) => name in after && before[name] !== after[name])
  return Object.fromEntries(changes.map((name) => [name, [before[name], after[name]]]))
}

/** Only a password set by a link comes with a reason. */
const passwordBy = (reason: string | undefined): AuditAction =>
  reason === ACCEPTED ? 'account.invitationAccepted' : reason ? 'account.passwordReset' : 'account.passwordChanged'

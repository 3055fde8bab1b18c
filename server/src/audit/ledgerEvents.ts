import type { AuditAction } from '@mokuroku/contract/audit'
import type { Document } from '@mokuroku/contract/merge'
import type { Action } from '#ledger/definition.ts'
import type { Watched } from '#ledger/record.ts'
import type { Kind } from '@mokuroku/contract/kinds'
import type { AuditEvent } from './append.ts'

/** What the log says of a write of these kinds; of every other kind only that something was deleted for good. */
const ACTIONS: Partial<Record<Kind, Partial<Record<Action, AuditAction>>>> = {
  User: { create: 'users.created', update: 'users.changed', delete: 'users.deleted', restore: 'users.restored' },
  Tier: { create: 'tiers.created', update: 'tiers.changed', delete: 'tiers.deleted', restore: 'tiers.restored' },
  Setting: { update: 'settings.changed' },
}

/** Why somebody sets their first password. */
export const ACCEPTED = 'Chosen with the link of an invitation'

/** Of an account these are said with what they were and are: they decide what it may do. */
const SECURITY_FIELDS = ['role', 'isActive', 'scores'] as const

/** What the ledger wrote, as the log tells it. */
export function auditEvents({ kind, action, meta, before, after, by, paths, title }: Watched): AuditEvent[] {
  const { actor, origin, reason } = by
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

/** Only who sets one by a link says why. */
const passwordBy = (reason: string | undefined): AuditAction =>
  reason === ACCEPTED ? 'account.invitationAccepted' : reason ? 'account.passwordReset' : 'account.passwordChanged'

import { denial, type DenialCode } from '@mokuroku/contract/denials'
import { type Capability, newTier, type Permissions } from '@mokuroku/contract/tiers'
import type { Role } from '@mokuroku/contract/users'
import { forbidden } from '#lib/errors.ts'
import { type Kind, kindOf } from '@mokuroku/contract/kinds'

/**
 * Who acts. `permissions` are those of the tier that the user's scores reach, or `EVERYTHING`; `session` is the token's
 * session.
 */
export interface Actor {
  _id: string
  username: string
  role: Role
  scores: number
  tier: string
  permissions: Permissions
  session: string | undefined
  /** Acts in the background: authorized as long as the account is active, independent of any session. */
  background?: true
  /** When the session began with the password, and when it was last entered again (access/reauthentication.ts). */
  passwordGiven?: { signIn: string; again: string | undefined }
  /** Position in PostgreSQL's write-ahead log after the session's last write (access/positions.ts). */
  position?: string | undefined
  /** State of the database when the session was looked up: as long as it stays the same, nothing has been written. */
  state?: string | undefined
  /** Where the request comes from; absent if there is no request. */
  client?: { address: string; userAgent: string }
}

/** The largest upload that the server accepts, in MB; a tier that allows more allows this. */
export const SERVER_UPLOAD_MB = 2048

/** The permissions of moderators and administrators. */
export const EVERYTHING = allPermissions()

function allPermissions(): Permissions {
  const { permissions } = newTier()
  const flags = Object.keys(permissions).filter((name) => name !== 'maxUploadSizeMB')
  return { ...permissions, ...Object.fromEntries(flags.map((flag) => [flag, true])), maxUploadSizeMB: SERVER_UPLOAD_MB }
}

/** The system itself: loads the sample and does background work. */
export const SYSTEM: Actor = {
  _id: 'system',
  username: 'system',
  role: 'admin',
  scores: 0,
  tier: '',
  permissions: EVERYTHING,
  session: undefined,
}

/** `rollback` applies to a change of a translation, owned by who made it; `profile` to the user's own account. */
export type Action = 'create' | 'edit' | 'delete' | 'restore' | 'purge' | 'rollback' | 'profile'
/** `reason` is the sentence for `code` (contract/src/denials.ts), which may name the actor's tier. */
export type Verdict =
  | { allowed: true }
  | { allowed: false; reason: string; code: DenialCode; tier?: string | undefined }

const yes: Verdict = { allowed: true }
const no = (code: DenialCode, tier?: string): Verdict => ({ allowed: false, reason: denial(code, tier), code, tier })

/**
 * Authorizes every write (docs/behaviour.md#permissions). `owner` is the id of the entity's creator;
 * undefined for entities of anyone. A denial says why, in words for the user.
 */
export function checkPermission(actor: Actor, action: Action, kind: Kind, owner?: string | null): Verdict {
  if (actor.role === 'admin' || (action === 'profile' && owner === actor._id)) return yes
  const { adminOnly, createdWith, texts } = kindOf(kind)
  if (adminOnly) return no('adminOnly')
  if (action === 'purge') return no('adminOnly')
  if (actor.role === 'moderator') return yes
  const granted = (flag: Capability): Verdict => (actor.permissions[flag] ? yes : no(flag, actor.tier))
  const owns = owner === actor._id
  if (action === 'create' && kind === 'Asset') return mayUpload(actor)
  if (action === 'create') return createdWith ? granted(createdWith) : no('moderatorOnly')
  if (texts) {
    if (actor.permissions.canEditAnyContent || (action === 'rollback' && owns)) return yes
    return granted(owns ? 'canEditOwnContent' : 'canEditAnyContent')
  }
  if (owner === undefined) return no('moderatorOnly')
  if (!owns) return no('ownerOnly')
  if (kind === 'Rating') return action === 'delete' ? yes : granted('canRateContent')
  return granted('canEditOwnContent')
}

/** Allowed if the tier's size limit is above zero. The file's size and type (video) are checked with the file. */
const mayUpload = ({ permissions, tier }: Actor): Verdict =>
  permissions.maxUploadSizeMB > 0 ? yes : no('upload', tier)

const WRITES: Capability[] = [
  'canCreateMedia',
  'canCreateCharacter',
  'canCreateTag',
  'canEditOwnContent',
  'canEditAnyContent',
]

const mayWrite =
  (denied: 'write' | 'assist') =>
  ({ permissions, tier }: Actor): Verdict =>
    WRITES.some((flag) => permissions[flag]) ? yes : no(denied, tier)

/** Imports are for users who may write anything in the catalogue. */
export const mayImport = mayWrite('write')
/** AI costs money and only helps with writing, so it is for the same users. */
export const mayAssist = mayWrite('assist')

/** Throws a 403 with its reason unless the actor may. */
export function requirePermission(actor: Actor, action: Action, kind: Kind, owner?: string | null): void {
  enforce(checkPermission(actor, action, kind, owner))
}

/** A route guard (http/serve.ts) that authorizes by action and kind alone, whatever the entity. */
export const authorize =
  (action: Action, kind: Kind) =>
  ({ actor }: { actor: Actor }): void =>
    requirePermission(actor, action, kind)

/** A route guard for changes of entities that the body names: rejects who may not even change their own. */
export const authorizeOwn =
  (action: Action, kind: Kind) =>
  ({ actor }: { actor: Actor }): void =>
    requirePermission(actor, action, kind, actor._id)

/** A route guard for changes of any kind with texts: Media stands for all of them, since they share their permissions. */
export const mayEditTexts = authorizeOwn('edit', 'Media')

/** A route guard that restricts reading to a role and higher ones. */
export const atLeast =
  (role: 'moderator' | 'admin') =>
  ({ actor }: { actor: Actor }): void =>
    requireRole(role, actor)

export function enforce(verdict: Verdict): void {
  if (!verdict.allowed) forbidden(verdict.code, verdict.tier)
}

/** Throws the first denial if everything is denied; partial denials are part of the results. */
export function enforceAny(verdicts: Verdict[]): void {
  const [first] = verdicts
  if (first && !verdicts.some(({ allowed }) => allowed)) enforce(first)
}

/** Throws a 403 unless the actor has this role or a higher one. */
export function requireRole(role: 'moderator' | 'admin', actor: Actor): void {
  if (role === 'admin' && actor.role !== 'admin') forbidden('adminReads')
  if (actor.role === 'user') forbidden('moderatorReads')
}

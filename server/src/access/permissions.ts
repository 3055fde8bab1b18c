import { denial, type DenialCode } from '@mokuroku/contract/denials'
import type { Capability, Permissions } from '@mokuroku/contract/tiers'
import type { Role } from '@mokuroku/contract/users'
import { forbidden } from '#lib/errors.ts'
import { type Kind, kindOf } from '@mokuroku/contract/kinds'

/** Who acts. `permissions` are those of the tier that the scores reach; `session` is the one the token belongs to. */
export interface Actor {
  _id: string
  username: string
  role: Role
  scores: number
  tier: string
  permissions: Permissions
  session: string | undefined
  /** It acts in the background, for as long as the account is active, and not for as long as a session lasts. */
  background?: true
  /** When the session began with the password, and when it was last entered again (access/reauthentication.ts). */
  passwordGiven?: { signIn: string; again: string | undefined }
  /** Where the log of PostgreSQL ended after the last write of the session (access/positions.ts). */
  position?: string | undefined
  /** What the database held when the session was looked up: while it is the same, nothing has been written. */
  state?: string | undefined
  /** Where the call comes from; absent where it is none. */
  client?: { address: string; userAgent: string }
}

/** The product itself: it loads the sample and keeps house. */
export const SYSTEM: Actor = {
  _id: 'system',
  username: 'system',
  role: 'admin',
  scores: 0,
  tier: '',
  permissions: {} as Permissions,
  session: undefined,
}

/** `rollback` is asked of a change of a translation, `profile` of one's own account: their owner is who made or has it. */
export type Action = 'create' | 'edit' | 'delete' | 'restore' | 'purge' | 'rollback' | 'profile'
/** `reason` is the sentence for `code` (contract/src/denials.ts), which may name the tier of who asks. */
export type Verdict =
  | { allowed: true }
  | { allowed: false; reason: string; code: DenialCode; tier?: string | undefined }

const yes: Verdict = { allowed: true }
const no = (code: DenialCode, tier?: string): Verdict => ({ allowed: false, reason: denial(code, tier), code, tier })

/**
 * Decides every write (docs/behaviour.md#permissions). `owner` is the id of the entity's creator.
 * A refusal says why, in words for the person refused.
 */
export function may(actor: Actor, action: Action, kind: Kind, owner?: string | null): Verdict {
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
    return owns && action !== 'rollback' ? granted('canEditOwnContent') : granted('canEditAnyContent')
  }
  if (!owns) return no('ownerOnly')
  if (kind === 'Rating') return action === 'delete' ? yes : granted('canRateContent')
  return granted('canEditOwnContent')
}

/** Whether a capability is the actor's: by tier, or as one of those who look after the catalogue. */
export const has = (actor: Actor, flag: Capability): boolean => actor.role !== 'user' || actor.permissions[flag]

/** Anybody whose tier lets a file through; how large a one, and whether video, is asked with the file. */
const mayUpload = ({ permissions, tier }: Actor): Verdict =>
  permissions.maxUploadSizeMB > 0 ? yes : no('upload', tier)

const WRITES: Capability[] = [
  'canCreateMedia',
  'canCreateCharacter',
  'canCreateTag',
  'canEditOwnContent',
  'canEditAnyContent',
]

/** AI costs, and only helps with writing: it is for everybody who may write something of the catalogue. */
export const mayAssist = (actor: Actor): Verdict =>
  WRITES.some((flag) => has(actor, flag)) ? yes : no('assist', actor.tier)

/** Throws a 403 with its reason unless the actor may. */
export function must(actor: Actor, action: Action, kind: Kind, owner?: string | null): void {
  enforce(may(actor, action, kind, owner))
}

/** A guard of a route (http/serve.ts) on which what it does alone decides, whatever it does it to. */
export const authorize =
  (action: Action, kind: Kind) =>
  ({ actor }: { actor: Actor }): void =>
    must(actor, action, kind)

/** A guard of a route that not everybody reads. */
export const atLeast =
  (least: 'moderator' | 'admin') =>
  ({ actor }: { actor: Actor }): void =>
    mustBe(least, actor)

export function enforce(verdict: Verdict): void {
  if (!verdict.allowed) forbidden(verdict.code, verdict.tier)
}

/** Throws a 403 unless the actor has this role or a higher one. */
export function mustBe(least: 'moderator' | 'admin', { role }: Actor): void {
  if (least === 'admin' && role !== 'admin') forbidden('adminReads')
  if (role === 'user') forbidden('moderatorReads')
}

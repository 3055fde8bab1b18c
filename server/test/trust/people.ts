// Users of all kinds, one for each permission that exists.
import { randomUUID } from 'node:crypto'
import { type Capability, newTier } from '@mokuroku/contract/tiers'
import type { Call } from '@mokuroku/contract/call'
import { SYSTEM } from '#access/permissions.ts'
import type { Actor } from '#access/permissions.ts'
import type { Tables } from '#database/tables.ts'
import { tiers } from '#store/tiers'
import { users } from '#store/users'
import { callAs, signedIn } from '#test/app.ts'

/** A permission of a tier, which also names the user who has exactly this permission. */
export type Grant = Capability | 'maxUploadSizeMB'

/**
 * `user` is in the default tier. `owner` created the entity that a call is about, and has the default tier with
 * canEditOwnContent; `bareOwner` created it too, but has a tier without any permission. `deactivated` still has a
 * token.
 */
export type Who = 'nobody' | 'deactivated' | 'user' | Grant | 'owner' | 'bareOwner' | 'moderator' | 'admin'

export interface Person {
  who: Who
  /** An IP address of their own, so that no user exhausts the rate limit of others. */
  address: string
  token: string | undefined
  user: Tables['users']
  actor: Actor
  call: Call
}

const { permissions: standard } = newTier()
const GRANTS = Object.keys(standard) as Grant[]
const NOTHING = {
  ...(Object.fromEntries(GRANTS.map((grant) => [grant, false])) as Record<Capability, boolean>),
  maxUploadSizeMB: 0,
}
const ALL = {
  ...(Object.fromEntries(GRANTS.map((grant) => [grant, true])) as Record<Capability, boolean>),
  maxUploadSizeMB: 2,
}
const UPLOADS = { ...NOTHING, maxUploadSizeMB: 2 }
const TIERS: Partial<Record<Who, typeof standard>> = {
  ...Object.fromEntries(
    GRANTS.map((grant) => [grant, grant === 'maxUploadSizeMB' ? UPLOADS : { ...NOTHING, [grant]: true }]),
  ),
  owner: { ...standard, canEditOwnContent: true },
  bareOwner: NOTHING,
}

export const WHO: Who[] = ['nobody', 'deactivated', 'user', ...GRANTS, 'owner', 'bareOwner', 'moderator', 'admin']

export type People = Record<Who, Person>

/** Creates all of them, each with a session. */
export async function everybody(): Promise<People> {
  const people: Partial<People> = {}
  for (const [at, who] of WHO.entries()) people[who] = await aPerson(who, at)
  return people as People
}

/** Users who have all permissions of a tier but one, by that one. */
export async function everybodyLacking(): Promise<Map<Grant, Person>> {
  const people = new Map<Grant, Person>()
  for (const [at, grant] of GRANTS.entries()) {
    const lacking = grant === 'maxUploadSizeMB' ? { ...ALL, maxUploadSizeMB: 0 } : { ...ALL, [grant]: false }
    people.set(grant, await aPerson('user', WHO.length + at, lacking))
  }
  return people
}

/** Creates one of them, with a session; `at` tells addresses and scores apart. */
export async function aPerson(who: Who, at = 0, permissions = TIERS[who]): Promise<Person> {
  // Far above the tiers that tests create themselves.
  const scores = permissions ? 1_000_000 + at : 0
  if (permissions)
    await tiers.create({ ...newTier(), name: `${who} ${at}`, requiredScore: scores, permissions }, { actor: SYSTEM })
  const role = who === 'admin' || who === 'moderator' ? who : 'user'
  const { user, token, actor } = await signedIn({ role, scores })
  const address = `10.9.0.${at + 1}`
  if (who === 'deactivated') await users.update(user._id, { isActive: false }, { actor: SYSTEM })
  const shown = who === 'nobody' ? undefined : token
  return { who, address, token: shown, user, actor, call: callAs(shown, address) }
}

/** An id that does not exist. */
export const noId = (): string => randomUUID()

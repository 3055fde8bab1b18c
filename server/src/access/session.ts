import { createHmac } from 'node:crypto'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Permissions } from '@mokuroku/contract/tiers'
import { newTier } from '@mokuroku/contract/tiers'
import { jwtVerify, SignJWT } from 'jose'
import { db, type Transaction, transaction } from '#database/db.ts'
import { unauthorized } from '#lib/errors.ts'
import type { Client } from './client.ts'
import { endSessions } from './endSessions.ts'
import { isDatabaseGone, machineFault } from '#lib/faults.ts'
import { newId, now } from '#lib/ids.ts'
import { lockRows } from '#database/locks.ts'
import type { Actor } from './permissions.ts'
import { limitSessions } from './sessionLimits.ts'
import type { Tables } from '#database/tables.ts'

/** Reads the same whatever is wrong. */
export const SIGN_IN_FAILED = reasonText('signInFailed')
/** Session length where the settings name none. */
const SESSION_HOURS = 12
/** A session begun later than this from now was begun while the clock was wrong, and could last for ever. */
const AHEAD = 24 * 60 * 60 * 1000
/** What moderators and administrators may upload, in MB. */
const SERVER_UPLOAD_MB = 2048

let secret: Uint8Array
export function signWith(key: Uint8Array): void {
  secret = key
  checked.clear()
}

/** A key of its own for another purpose, so that what one signs means nothing to the other. */
export const keyFor = (purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest()

type User = Tables['users']

/** The account whose password was verified, as it was then. */
export type Verified = Pick<User, '_id' | 'passwordHash'>

/**
 * Locks the account until the transaction ends, and says whether it is still the one that was verified: hashing takes
 * long enough for a password to change, or an account to end, meanwhile.
 */
export async function stillVerified(tx: Transaction, { _id, passwordHash }: Verified): Promise<boolean> {
  await lockRows(tx, [{ kind: 'User', id: _id }])
  const user = await tx
    .selectFrom('users')
    .select(['passwordHash', 'isActive', 'deletedAt'])
    .where('_id', '=', _id)
    .executeTakeFirst()
  return user !== undefined && user.isActive && user.deletedAt === null && user.passwordHash === passwordHash
}

/**
 * Begins a session for the account that was verified; throws 401 when it has changed since. The token carries `exp` in
 * seconds and means nothing once the session has ended. `first` is done in the same transaction, before the session is
 * there.
 */
export async function startSession(
  user: User,
  client: Client,
  first?: (tx: Transaction, session: string) => Promise<void>,
): Promise<string> {
  const session = newId()
  const exp = Math.floor(Date.now() / 1000 + (await sessionHours()) * 3600)
  const row = { _id: session, userId: user._id, expiresAt: new Date(exp * 1000).toISOString(), endedAt: null }
  await transaction(async (tx) => {
    if (!(await stillVerified(tx, user))) unauthorized(SIGN_IN_FAILED)
    await first?.(tx, session)
    // Dated under the lock: of sign-ins at the same time, the last one is the newest.
    await tx
      .insertInto('sessions')
      .values({ ...row, createdAt: now(), lastSeen: now(), ...client })
      .execute()
    await limitSessions(tx, user._id, session)
  })
  return new SignJWT({ sid: session })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user._id)
    .setIssuedAt()
    .setExpirationTime(exp)
    .sign(secret)
}

async function sessionHours(): Promise<number> {
  const found = await db.selectFrom('settings').select('sessionHours').limit(1).executeTakeFirst()
  return found?.sessionHours ?? SESSION_HOURS
}

export async function endSession(tx: Transaction, session: string | undefined): Promise<void> {
  if (session !== undefined) await endSessions(tx, { ids: [session] })
}

/** Ends every session of a user, but for `kept`, and every link to a new password: what opened the account is void. */
export async function endSessionsOf(tx: Transaction, userId: string, kept?: string): Promise<void> {
  await endSessions(tx, { userId, kept })
  await tx.deleteFrom('resets').where('userId', '=', userId).execute()
}

/** Ends every session, every link to a new password and every open upload: whoever had access signs in again. */
export async function endAllAccess(tx: Transaction): Promise<void> {
  await endSessions(tx, {})
  // They expire instead of going, so that a restored database holds as many rows as the backup.
  await tx.updateTable('resets').set({ expiresAt: now() }).execute()
  // Also those of sessions that are no longer kept.
  await tx.updateTable('uploads').set({ expiresAt: now() }).where('assetId', 'is', null).execute()
}

/** Who stands behind an Authorization header: an active user with a session that is neither over nor ended. */
export async function findActor(header: string | undefined): Promise<Actor | undefined> {
  const token = /^Bearer (.+)$/.exec(header ?? '')?.[1]
  const claims = token && (await claimsOf(token))
  if (!claims) return undefined
  const user = await standing(db, claims.session)
  // A session that began in the future began while the clock was wrong.
  const isOfUser = user?._id === claims.user && user.createdAt < new Date(Date.now() + AHEAD).toISOString()
  if (!isOfUser) return undefined
  await seen(claims.session, user.lastSeen)
  const { createdAt, confirmedAt } = user
  return {
    ...(await actorOf(user, claims.session)),
    passwordGiven: { signIn: createdAt, again: confirmedAt ?? undefined },
  }
}

/** Notes that a session is in use, at most once a minute: reading should not be writing. */
async function seen(session: string, last: string): Promise<void> {
  const at = now()
  // Also after the clock went back.
  if (Math.abs(Date.parse(at) - Date.parse(last || '1970')) <= 60_000) return
  const noted = db.updateTable('sessions').set({ lastSeen: at }).where('_id', '=', session).execute()
  // A disk that is full, or cannot be written, still lets people read.
  await noted.catch((error: unknown) => {
    if (!machineFault(error) || isDatabaseGone(error)) throw error
  })
}

const actorsNow = new WeakMap<Transaction, Map<string, Actor>>()

/**
 * Who acts, as it is at the moment of a write: a call may have begun long before. Throws 401 when its session has ended
 * since. Read once in each transaction; who acts without a session, and not in the background, is not asked about.
 */
export async function actorNow(tx: Transaction, actor: Actor): Promise<Actor> {
  const { session } = actor
  const known = actorsNow.get(tx) ?? new Map<string, Actor>()
  actorsNow.set(tx, known)
  if (actor.background) {
    const found = known.get(actor._id) ?? (await activeAccount(tx, actor))
    known.set(actor._id, found)
    return found
  }
  if (session === undefined) return actor
  const user = known.has(session) ? undefined : await standing(tx, session)
  const found = known.get(session) ?? (user ? { ...actor, ...(await actorOf(user, session, tx)) } : unauthorized())
  known.set(session, found)
  return found
}

/** As `actorNow`; the account also stays as it is until the transaction ends. */
export async function reauthorize(tx: Transaction, actor: Actor): Promise<Actor> {
  if (actor.session !== undefined) await lockRows(tx, [{ kind: 'User', id: actor._id }])
  return actorNow(tx, actor)
}

/** Who acts in the background, as the account is now. Throws 401 when it is not active any more. */
async function activeAccount(tx: Transaction, actor: Actor): Promise<Actor> {
  const user = await tx
    .selectFrom('users')
    .select(['_id', 'username', 'role', 'scores'])
    .where('_id', '=', actor._id)
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  return user ? { ...actor, ...(await actorOf(user, undefined, tx)) } : unauthorized(reasonText('accountInactive'))
}

/** The active user of a session that is neither over nor ended. */
const standing = (from: Reader, session: string) =>
  from
    .selectFrom('sessions')
    .innerJoin('users', 'users._id', 'sessions.userId')
    .select(['users._id', 'users.username', 'users.role', 'users.scores'])
    .select(['sessions.lastSeen', 'sessions.createdAt', 'sessions.confirmedAt'])
    .where('sessions._id', '=', session)
    .where('sessions.endedAt', 'is', null)
    .where('sessions.expiresAt', '>', now())
    .where('users.isActive', '=', true)
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst()

type Reader = Pick<Transaction, 'selectFrom'>

/** What a user may do now: by role, or by the tier that their scores reach. */
export async function actorOf(
  user: Pick<User, '_id' | 'username' | 'role' | 'scores'>,
  session?: string,
  from: Reader = db,
): Promise<Actor> {
  const { _id, username, role, scores } = user
  const tier = role === 'user' ? await tierOf(scores, from) : { name: '', permissions: everything() }
  return { _id, username, role, scores, session, tier: tier.name, permissions: tier.permissions }
}

/** The active tier with the highest required score that the user's score reaches. */
async function tierOf(scores: number, from: Reader): Promise<{ name: string; permissions: Permissions }> {
  const found = await from
    .selectFrom('tiers')
    .select(['name', 'permissions'])
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .where('requiredScore', '<=', scores)
    .orderBy('requiredScore', 'desc')
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return found ?? newTier()
}

function everything(): Permissions {
  const { permissions } = newTier()
  const flags = Object.keys(permissions).filter((name) => name !== 'maxUploadSizeMB')
  return { ...permissions, ...Object.fromEntries(flags.map((flag) => [flag, true])), maxUploadSizeMB: SERVER_UPLOAD_MB }
}

interface Claims {
  user: string
  session: string
  /** Seconds. */
  exp: number
}

// Tokens with a good signature, so that it is checked once: doing so takes longer than the rest of a call's checks.
const checked = new Map<string, Claims>()
const MAX_CACHED_TOKENS = 1000

async function claimsOf(token: string): Promise<Claims | undefined> {
  const known = checked.get(token)
  if (known) return known.exp * 1000 > Date.now() ? known : undefined
  try {
    const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], requiredClaims: ['exp'] })
    const claims = { user: String(payload.sub), session: String(payload.sid), exp: Number(payload.exp) }
    if (checked.size >= MAX_CACHED_TOKENS) checked.clear()
    checked.set(token, claims)
    return claims
  } catch {
    return undefined
  }
}

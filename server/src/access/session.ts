import { createHmac } from 'node:crypto'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { reasonText } from '@mokuroku/contract/reasons'
import type { Permissions } from '@mokuroku/contract/tiers'
import { newTier } from '@mokuroku/contract/tiers'
import { jwtVerify, SignJWT } from 'jose'
import type { SelectQueryBuilder } from 'kysely'
import { db, engine, type Transaction, transaction } from '#database/db.ts'
import { unauthorized } from '#lib/errors.ts'
import type { Client } from './client.ts'
import { endSessions } from './endSessions.ts'
import { isDatabaseGone, machineFault } from '#lib/faults.ts'
import { DAY_MS, momentIn, now, time } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { lockRows } from '#database/locks.ts'
import { hasReplicas } from '#database/replicas.ts'
import { databaseState, stateOf, bookkeeping } from '#database/state.ts'
import { type Executor, statement } from '#database/statement.ts'
import { type Actor, EVERYTHING, SERVER_UPLOAD_MB } from './permissions.ts'
import { notePosition } from './positions.ts'
import { limitSessions } from './sessionLimits.ts'
import type { Tables } from '#database/tables.ts'

/** The same message whatever is wrong. */
export const SIGN_IN_FAILED = reasonText('signInFailed')
/** Session length if the settings do not define one. */
const DEFAULT_SESSION_HOURS = 12
/** A session that starts further ahead than this was created while the clock was wrong, and might never expire. */
const MAX_AHEAD_MS = DAY_MS

let secret: Uint8Array
export function setSigningKey(key: Uint8Array): void {
  secret = key
  verifiedTokens.clear()
}

/** Derives a separate key for another purpose, so that a signature for one is not valid for the other. */
export const deriveKey = (purpose: string): Buffer => createHmac('sha256', secret).update(purpose).digest()

type User = Tables['users']

/** The account whose password was verified, as it was at that moment. */
export type Verified = Pick<User, '_id' | 'passwordHash'>

/**
 * Locks the account until the transaction ends, and returns whether it is unchanged since it was verified: hashing
 * takes so long that the password may have been changed, or the account deactivated, in the meantime.
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
 * Starts a session for a verified account and returns its token; throws 401 if the account has changed since. The
 * token's `exp` is in seconds, and the token is invalid once the session has ended. `first` runs in the same
 * transaction, before the session is inserted.
 */
export async function startSession(
  user: User,
  client: Client,
  first?: (tx: Transaction, session: string) => Promise<void>,
): Promise<string> {
  const session = newId()
  const issuedAt = Math.floor(time() / 1000)
  const exp = Math.floor(issuedAt + (await sessionHours()) * 3600)
  const row = { _id: session, userId: user._id, expiresAt: new Date(exp * 1000).toISOString(), endedAt: null }
  await transaction(async (tx) => {
    if (!(await stillVerified(tx, user))) unauthorized(SIGN_IN_FAILED)
    await first?.(tx, session)
    // Dated under the lock, so that of concurrent sign-ins the last one is the newest.
    await tx
      .insertInto('sessions')
      .values({ ...row, createdAt: now(), lastSeen: now(), ...client })
      .execute()
    await limitSessions(tx, user._id, session)
  })
  await notePosition(session)
  return new SignJWT({ sid: session })
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(user._id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(exp)
    .sign(secret)
}

async function sessionHours(): Promise<number> {
  const found = await db.selectFrom('settings').select('sessionHours').limit(1).executeTakeFirst()
  return found?.sessionHours ?? DEFAULT_SESSION_HOURS
}

export async function endSession(tx: Transaction, session: string | undefined): Promise<void> {
  if (session !== undefined) await endSessions(tx, { ids: [session] })
}

/**
 * Ends every session of a user except `kept`, and invalidates the user's password reset links. Returns whether there
 * was any to end.
 */
export async function endSessionsOf(tx: Transaction, userId: string, kept?: string): Promise<boolean> {
  const isAny = await endSessions(tx, { userId, kept })
  await tx.deleteFrom('resets').where('userId', '=', userId).execute()
  return isAny
}

/** Ends every session, password reset link and open upload session: everybody has to sign in again. */
export async function endAllAccess(tx: Transaction): Promise<void> {
  await endSessions(tx, {})
  // They expire instead of being deleted, so that a restored database has as many rows as the backup.
  await tx.updateTable('resets').set({ expiresAt: now() }).execute()
  // Includes upload sessions whose session row has been deleted.
  await tx.updateTable('uploads').set({ expiresAt: now() }).where('assetId', 'is', null).execute()
}

/** The user of an Authorization header, if the user is active and the session neither ended nor expired. */
export async function findActor(header: string | undefined): Promise<Actor | undefined> {
  const token = /^Bearer +(.+)$/i.exec(header ?? '')?.[1]
  const claims = token && (await claimsOf(token))
  if (!claims) return undefined
  const user = await activeUser(db, claims.session)
  // A session that starts in the future was created while the clock was wrong.
  const isOfUser = user?._id === claims.user && user.createdAt < momentIn(MAX_AHEAD_MS)
  if (!isOfUser) return undefined
  const { createdAt, confirmedAt, position } = user
  const state = user.state === null ? undefined : stateOf(user.state)
  await noteActivity(claims.session, user.lastSeen)
  return {
    ...actorWith(user, claims.session),
    // A read from a replica may be stale, so no response is cached for it.
    state: hasReplicas() ? undefined : state,
    position: position ?? undefined,
    passwordGiven: { signIn: createdAt, again: confirmedAt ?? undefined },
  }
}

/** The sessions that `noteActivity` is writing. */
const noting = new Set<string>()

/** Stores that a session is in use, at most once a minute, so that not every read causes a write. */
async function noteActivity(session: string, last: string): Promise<void> {
  const at = now()
  // The absolute difference also covers a clock that was set back.
  if (Math.abs(Date.parse(at) - Date.parse(last || '1970')) <= 60_000) return
  if (noting.has(session)) return
  noting.add(session)
  const noted = bookkeeping((tx) =>
    tx.updateTable('sessions').set({ lastSeen: at }).where('_id', '=', session).execute(),
  )
    // A disk that is full or read-only must not keep users from reading.
    .catch((error: unknown) => {
      if (!machineFault(error) || isDatabaseGone(error)) throw error
    })
    .finally(() => noting.delete(session))
  // On SQLite, a write may have to wait for a long transaction; no read does.
  await (engine === 'sqlite' ? Promise.race([noted, yieldToEventLoop()]) : noted)
}

const actorsNow = new WeakMap<Transaction, Map<string, Actor>>()

/**
 * The actor as of now, inside a write: the request may have begun long before. Throws 401 if the session has ended
 * since. Read once per transaction. An actor without a session that is not in the background is returned unchanged.
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
  const user = known.has(session) ? undefined : await activeUser(tx, session)
  const found = known.get(session) ?? (user ? { ...actor, ...actorWith(user, session) } : unauthorized())
  known.set(session, found)
  return found
}

/** Like `actorNow`, but also reads what this transaction has read already: it has waited for others since. */
export function actorAfterWaiting(tx: Transaction, actor: Actor): Promise<Actor> {
  actorsNow.delete(tx)
  return actorNow(tx, actor)
}

/** The actor as of now; undefined once the session has ended. For work that outlasts its request. */
export async function presentActor(actor: Actor): Promise<Actor | undefined> {
  const user = actor.session === undefined ? undefined : await activeUser(db, actor.session)
  return user && { ...actor, ...(await actorOf(user, actor.session)) }
}

/** Like `actorNow`, but also locks the account until the transaction ends. */
export async function reauthorize(tx: Transaction, actor: Actor): Promise<Actor> {
  if (actor.session !== undefined) await lockRows(tx, [{ kind: 'User', id: actor._id }])
  return actorNow(tx, actor)
}

/** Runs `work` in a transaction with the actor as of now, for writes outside the ledger. Throws like `actorNow`. */
export const transactionAs = <T>(actor: Actor, work: (tx: Transaction, actor: Actor) => Promise<T>): Promise<T> =>
  transaction(async (tx) => work(tx, await actorNow(tx, actor)))

/** An actor for background work, with the permissions that the account has at the time of each write. */
export const inBackground = (userId: string, username: string): Actor => ({
  _id: userId,
  username,
  role: 'user',
  scores: 0,
  tier: '',
  permissions: newTier().permissions,
  session: undefined,
  background: true,
})

/** A background actor as of now. Throws 401 if the account is no longer active. */
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

/** The active user of a session that is neither ended nor expired, with the tier that their scores reach. */
const activeUser = async (from: Executor, session: string) => (await activeUserAt(from, session, now()))[0]

const activeUserAt = statement((from, session: string, at: string) =>
  withTier(from, from.selectFrom('sessions').innerJoin('users', 'users._id', 'sessions.userId'))
    .select(['users._id', 'users.username', 'users.role', 'users.scores'])
    .select(['sessions.lastSeen', 'sessions.createdAt', 'sessions.confirmedAt', 'sessions.position'])
    .select(['tiers.name as tierName', 'tiers.permissions'])
    .select(databaseState().as('state'))
    .where('sessions._id', '=', session)
    .where('sessions.endedAt', 'is', null)
    .where('sessions.expiresAt', '>', at)
    .where('users.isActive', '=', true)
    .where('users.deletedAt', 'is', null),
)

/** Joins the tier that a user's scores reach: on PostgreSQL laterally, since a plain join runs the subquery for each tier. */
function withTier<Row>(from: Executor, users: SelectQueryBuilder<Tables, 'sessions' | 'users', Row>) {
  // `users` is in the outer query, which the type of this subquery does not know: hence `as never`.
  const reached = highestTier(from).whereRef('requiredScore', '<=', 'users.scores' as never)
  return engine === 'postgres'
    ? users.leftJoinLateral(reached.select(['name', 'permissions']).as('tiers'), (join) => join.onTrue())
    : (users.leftJoin('tiers', (join) => join.on('tiers._id', '=', reached.select('_id'))) as never)
}

/** The active tier with the highest required score. */
const highestTier = (from: Executor) =>
  from
    .selectFrom('tiers as reached')
    .where('reached.isActive', '=', true)
    .where('reached.deletedAt', 'is', null)
    .orderBy('reached.requiredScore', 'desc')
    .orderBy('reached.createdAt')
    .limit(1)

/** A user as an actor, with the permissions of the role or of the tier that the scores reach. */
export async function actorOf(
  user: Pick<User, '_id' | 'username' | 'role' | 'scores'>,
  session?: string,
  from: Executor = db,
): Promise<Actor> {
  const tier =
    user.role === 'user'
      ? await highestTier(from)
          .where('requiredScore', '<=', user.scores)
          .select(['name', 'permissions'])
          .executeTakeFirst()
      : undefined
  return actorWith({ ...user, tierName: tier?.name ?? null, permissions: tier?.permissions ?? null }, session)
}

/** Like `actorOf`, with the tier already known; null if the scores reach none. */
function actorWith(
  user: Pick<User, '_id' | 'username' | 'role' | 'scores'> & {
    tierName: string | null
    permissions: Permissions | null
  },
  session: string | undefined,
): Actor {
  const { _id, username, role, scores, tierName } = user
  const [tier, permissions] =
    role === 'user'
      ? [tierName ?? newTier().name, limited(user.permissions ?? newTier().permissions)]
      : ['', EVERYTHING]
  return { _id, username, role, scores, session, tier, permissions }
}

const limited = (permissions: Permissions): Permissions =>
  permissions.maxUploadSizeMB > SERVER_UPLOAD_MB ? { ...permissions, maxUploadSizeMB: SERVER_UPLOAD_MB } : permissions

interface Claims {
  user: string
  session: string
  /** In seconds. */
  exp: number
}

// Cache of verified tokens: verifying a signature takes longer than all other checks of a request.
const verifiedTokens = new Map<string, Claims>()
const MAX_CACHED_TOKENS = 1000

async function claimsOf(token: string): Promise<Claims | undefined> {
  const known = verifiedTokens.get(token)
  if (known) return known.exp * 1000 > time() ? known : undefined
  try {
    const { payload } = await jwtVerify(token, secret, {
      algorithms: ['HS256'],
      requiredClaims: ['exp'],
      currentDate: new Date(time()),
    })
    const claims = { user: String(payload.sub), session: String(payload.sid), exp: Number(payload.exp) }
    if (verifiedTokens.size >= MAX_CACHED_TOKENS) verifiedTokens.clear()
    verifiedTokens.set(token, claims)
    return claims
  } catch {
    return undefined
  }
}

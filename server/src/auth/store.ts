import { createHash, randomBytes } from 'node:crypto'
import type { authApi, Session } from '@mokuroku/contract/auth'
import { browserOf } from '@mokuroku/contract/userAgent'
import type { Preferences } from '@mokuroku/contract/preferences'
import type { Body } from '@mokuroku/contract/route'
import { db, type Reader, type Transaction, transaction } from '#database/db.ts'
import { deleteRows } from '#database/deleteRows.ts'
import type { Client } from '#access/client.ts'
import { CLOCK_TOLERANCE_MS, momentIn, now } from '#lib/clock.ts'
import type { Actor } from '#access/permissions.ts'
import { reauthorize, stillVerified } from '#access/session.ts'
import type { Tables } from '#database/tables.ts'

/** Maximum number of a user's sessions in the list. */
const MAX_LISTED_SESSIONS = 100
/** How many of a user's last sessions are searched for a known address or browser. */
const MAX_SEARCHED_SESSIONS = 1000

export const sessions = {
  /** A user's active sessions, newest first. */
  list: async (userId: string, current: string | undefined): Promise<Session[]> => {
    const rows = await db
      .selectFrom('sessions')
      .select(['_id', 'address', 'userAgent', 'createdAt', 'lastSeen', 'expiresAt'])
      .where('userId', '=', userId)
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', now())
      .orderBy('createdAt', 'desc')
      .orderBy('_id')
      .limit(MAX_LISTED_SESSIONS)
      .execute()
    return rows.map((row) => ({ ...row, current: row._id === current }))
  },

  /**
   * Whether a user signs in from an address or with a browser that no earlier session had. Browser versions are
   * ignored, since they change by themselves; a user's very first session is never unfamiliar.
   */
  isUnfamiliar: async (tx: Transaction, userId: string, { address, userAgent }: Client): Promise<boolean> => {
    const before = await tx
      .selectFrom('sessions')
      .select(['address', 'userAgent'])
      .where('userId', '=', userId)
      .orderBy('createdAt', 'desc')
      .limit(MAX_SEARCHED_SESSIONS)
      .execute()
    const kindOf = (agent: string): string => Object.values(browserOf(agent)).join(' ').trim() || agent
    const isKnown =
      before.some((session) => session.address === address) &&
      before.some((session) => kindOf(session.userAgent) === kindOf(userAgent))
    return before.length > 0 && !isKnown
  },

  /** The network addresses that a user has signed in from. */
  addressesOf: async (userId: string): Promise<string[]> => {
    const query = db.selectFrom('sessions').select('address').distinct().where('userId', '=', userId)
    return (await query.limit(MAX_SEARCHED_SESSIONS).execute()).map(({ address }) => address)
  },

  /** Whether a session belongs to this user and has not ended. */
  isOf: async (tx: Transaction, userId: string, id: string): Promise<boolean> => {
    const query = tx.selectFrom('sessions').select('_id').where('_id', '=', id).where('userId', '=', userId)
    return (await query.where('endedAt', 'is', null).executeTakeFirst()) !== undefined
  },

  /** Stores that the password was entered again in a session; false if the session has ended or expired. */
  confirm: async (tx: Transaction, id: string | undefined): Promise<boolean> => {
    const done = await tx
      .updateTable('sessions')
      .set({ confirmedAt: now() })
      .where('_id', '=', id ?? '')
      .where('endedAt', 'is', null)
      .where('expiresAt', '>', now())
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  },
}

/** User preferences for the console. */
export const preferences = {
  find: (userId: string): Promise<Preferences> => chosenBy(db, userId),

  /** Merges the given preferences into the stored ones. */
  set: (actor: Actor, { columns, editor }: Body<typeof authApi.updatePreferences>): Promise<Preferences> =>
    transaction(async (tx) => {
      const { _id: userId } = await reauthorize(tx, actor)
      const before = await chosenBy(tx, userId)
      const chosen = { columns: { ...before.columns, ...columns }, editor: editor ?? before.editor ?? null }
      await tx
        .insertInto('preferences')
        .values({ userId, ...chosen })
        .onConflict((row) => row.column('userId').doUpdateSet(chosen))
        .execute()
      return preferencesIn(chosen)
    }),
}

const chosenBy = async (from: Reader, userId: string): Promise<Preferences> => {
  const chosen = await from
    .selectFrom('preferences')
    .select(['columns', 'editor'])
    .where('userId', '=', userId)
    .executeTakeFirst()
  return chosen ? preferencesIn(chosen) : { columns: {} }
}

const preferencesIn = ({ columns, editor }: Omit<Tables['preferences'], 'userId'>): Preferences => ({
  columns,
  ...(editor && { editor }),
})

/** Only the hash is stored, so a leaked table opens no account. The token is random enough to need no salt. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** A new token for a link, and the hash of it that is stored. */
export function newToken(): { token: string; tokenHash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, tokenHash: hashOf(token) }
}

/** Password reset links. Several for one account may be valid at once, since emails get lost or arrive late. */
export const resets = {
  /** Adds a link, valid as long as the account keeps its current email. */
  add: async (
    { _id, email }: Pick<Tables['users'], '_id' | 'email'>,
    tokenHash: string,
    minutes: number,
    tx: Pick<Transaction, 'insertInto'> = db,
  ): Promise<void> => {
    const expiresAt = momentIn(minutes * 60_000)
    await tx.insertInto('resets').values({ tokenHash, userId: _id, email, createdAt: now(), expiresAt }).execute()
  },

  /** Deletes links that are no longer valid. Only where the clock is trusted: one that is ahead ends invitations. */
  deleteExpired: async (): Promise<void> => {
    await deleteRows(db, 'resets', ['expiresAt', '<=', now()])
  },

  /** Invalidates all links of an account. */
  end: async (tx: Transaction, userId: string): Promise<void> => {
    await tx.deleteFrom('resets').where('userId', '=', userId).execute()
  },

  /** The account that a valid link belongs to. */
  find: (tokenHash: string): Promise<Tables['users'] | undefined> => opened(db, tokenHash),

  /** Like `find`, but also consumes the link: of two concurrent calls, only one gets the account. */
  take: async (tx: Transaction, tokenHash: string): Promise<Tables['users'] | undefined> => {
    const found = await opened(tx, tokenHash)
    if (!found || !(await stillVerified(tx, found))) return undefined
    // Read again under the lock: the account's email may have changed.
    const user = await opened(tx, tokenHash)
    const deleted = await tx.deleteFrom('resets').where('tokenHash', '=', tokenHash).executeTakeFirst()
    return deleted.numDeletedRows > 0n ? user : undefined
  },
}

const opened = (from: Reader, tokenHash: string): Promise<Tables['users'] | undefined> =>
  from
    .selectFrom('resets')
    .innerJoin('users', 'users._id', 'resets.userId')
    .selectAll('users')
    .where('resets.tokenHash', '=', tokenHash)
    .where('resets.expiresAt', '>', now())
    // A link from the future was made while the clock was ahead, and would be valid for as much longer.
    .where('resets.createdAt', '<=', momentIn(CLOCK_TOLERANCE_MS))
    .whereRef('resets.email', '=', 'users.email')
    .where('users.isActive', '=', true)
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst()

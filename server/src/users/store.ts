import { orderOf } from '@mokuroku/contract/order'
import { ROLES, type User, UserInput, type UserQuery } from '@mokuroku/contract/users'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { flagAvatars, flagOldAvatars, hasAvatar } from '#ledger/assetFlags.ts'
import { countersOf, incrementCounter, setCounter } from '#ledger/counters.ts'
import { inList } from '#database/inList.ts'
import { db, type Reader, type Transaction, transaction } from '#database/db.ts'
import { BOUNDS, type Filter, filtersOn, unindexed } from '#database/intersection.ts'
import { lockRows } from '#database/locks.ts'
import { notFound } from '#lib/errors.ts'
import { CLOCK_TOLERANCE_MS, DAY_MS, momentIn, now, time } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { orderByIds } from '#lib/orderByIds.ts'
import type { Label, WriteContext, Found } from '#ledger/definition.ts'
import { ledger } from '#ledger/ledger.ts'
import { type Actor, enforce, checkPermission, SYSTEM } from '#access/permissions.ts'
import { hashPassword, INVITED } from '#access/password.ts'
import { rankedPage } from '#database/ranked.ts'
import { endSessionsOf } from '#access/session.ts'
import type { Tables, UserFields } from '#database/tables.ts'
import { search } from '#store/search'
import { tiers } from '#store/tiers'
import { reserveUsername, reserveExistingUsernames } from './reservedUsernames.ts'
import { refuseWeakPassword } from './newPassword.ts'
import { assertAccountRules, passwordNeeded } from './rules.ts'
import { emailNewAddress, emailNewPassword } from './notifyOwner.ts'
import { skeletonOf } from './usernames.ts'

/** An account as everybody sees it. */
type Person = Pick<Tables['users'], '_id' | 'username' | 'avatar'>

const fields = Object.keys(UserInput.shape).filter((name) => name !== 'password')

/** What an account has for itself, which is permanently deleted with it; so are its notifications, by a foreign key. */
const OWN = [
  'sessions',
  'resets',
  'preferences',
  'reservations',
  'usernames',
  'importMappings',
  'uploadCounts',
  'commentCounts',
  'writeCounts',
] as const

const kept = ledger<UserFields>({
  kind: 'User',
  fields,
  empty: { role: 'user', isActive: true, avatar: '', scores: 0 },
  title: ({ username }) => username,
  // Email addresses are searchable too, but not by everybody (`findableBy`).
  labels: labelsOf,
  findableBy: seenBy,
  hits,
  activity: () => undefined,
  check: assertAccountRules,
  reauthentication: passwordNeeded,
  derive: async (tx, id, before, after) => {
    if (before && after && before.email !== after.email) {
      await emailNewAddress(tx, before.email, after)
      // Not only void while the account has another address: it may get this one back.
      await tx.deleteFrom('resets').where('userId', '=', id).execute()
    }
    if (after && after.username !== before?.username) await reserveUsername(tx, id, after.username)
    if (before?.avatar !== after?.avatar) await flagAvatars(tx, [before?.avatar ?? '', after?.avatar ?? ''])
    if (before && (before.role !== after?.role || before.isActive !== after.isActive)) await endSessionsOf(tx, id)
    const [from, to] = [before && counterOf(before), after && counterOf(after)]
    if (from !== to)
      for (const [name, step] of [
        [from, -1],
        [to, 1],
      ] as const)
        if (name) incrementCounter(tx, name, step)
  },
  forget: async (tx, id) => {
    await tx.deleteFrom('views').where('createdBy', '=', id).execute()
    for (const table of OWN) await tx.deleteFrom(table).where('userId', '=', id).execute()
  },
})

/** Users as ledger entities, never with their passwords. */
export const users = {
  ...kept,

  /** Adds an account. The password hash is kept out of the history. */
  add: async (
    tx: Transaction,
    input: Partial<UserFields>,
    passwordHash: string,
    context: WriteContext,
  ): Promise<string> => {
    const id = context.id ?? newId()
    await kept.createIn(tx, id, input, context, { passwordHash })
    return id
  },

  /** Sets a password and ends the account's sessions, except `session`. History only says that the password changed. */
  setPassword: async (
    tx: Transaction,
    id: string,
    passwordHash: string,
    context: WriteContext,
    session?: string,
  ): Promise<void> => {
    const query = tx.selectFrom('users').select('passwordHash').where('_id', '=', id)
    const { passwordHash: before } = await query.executeTakeFirstOrThrow()
    await kept.updateIn(tx, id, {}, context, undefined, { passwordHash })
    await endSessionsOf(tx, id, session)
    // After an invitation, the user has just chosen the first password, so no notification is needed.
    if (before !== INVITED) await emailNewPassword(tx, id)
  },

  /** Like `update`, but the input may contain a new password. */
  change: async (
    id: string,
    { password, ...input }: UserInput,
    context: WriteContext,
    base?: number,
  ): Promise<void> => {
    enforce(context.verdict ?? checkPermission(context.actor, 'edit', 'User'))
    if (password !== undefined) {
      const current = (await kept.row(id)) ?? notFound('User')
      const { username = current.username, email = current.email } = input
      await refuseWeakPassword(password, { username, email })
    }
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    await transaction(async (tx) => {
      await kept.updateIn(tx, id, input, context, base, passwordHash === undefined ? {} : { passwordHash })
      if (passwordHash === undefined) return
      await endSessionsOf(tx, id)
      await emailNewPassword(tx, id)
    })
  },

  /** A page of the accounts as `actor` may see them, and the total, from counters. */
  list: async (query: z.output<typeof UserQuery>, actor: Actor): Promise<{ data: User[]; total: number }> => {
    const { page, limit, role, isActive } = query
    const offset = (page - 1) * limit
    const filters = filtersOn<'users'>((user) => [
      ...(role === undefined ? [] : [user('role', '=', role)]),
      ...(isActive === undefined ? [] : [user('isActive', '=', isActive)]),
    ])
    const among = query.search
      ? await search.ids('User', query.search, { language: seenBy(actor), filters })
      : undefined
    if (among?.length === 0) return { data: [], total: 0 }
    const present = db.selectFrom('users').select('_id').where('deletedAt', 'is', null)
    const matchesOf = (all: Filter[]) => all.reduce((rows, { where }) => rows.where(where), present)
    const matching = among ? matchesOf(filters).where(inList('_id', among)) : undefined
    const order = orderOf(query)
    if (among && matching && order === 'relevance') {
      const rows = await matching.execute()
      return { data: await byIds(rankedPage(among, rows, { offset, limit }), actor), total: rows.length }
    }
    const [sortedBy, direction] = [
      order.replace('-', '') as 'createdAt',
      order.startsWith('-') ? 'desc' : 'asc',
    ] as const
    const total = matching ? (await matching.execute()).length : await countOf(role, isActive)
    // SQLite would also read and sort many accounts, instead of reading the first ones in order.
    const inOrder = matching ?? matchesOf(total > BOUNDS.narrow ? filters.map(unindexed) : filters)
    const rows = await inOrder
      .orderBy(sortedBy, direction)
      .orderBy('_id', direction)
      .limit(limit)
      .offset(offset)
      .execute()
    const ids = rows.map(({ _id }) => _id)
    return { data: await byIds(ids, actor), total }
  },

  find: async (id: string, actor: Actor): Promise<User | undefined> => (await byIds([id], actor))[0],

  /** The account with this email address, active or not, ignoring case. */
  withEmail: (email: string): Promise<Tables['users'] | undefined> =>
    db
      .selectFrom('users')
      .selectAll()
      .where(({ fn }) => fn<string>('lower', ['email']), '=', email.toLowerCase())
      .where('deletedAt', 'is', null)
      .executeTakeFirst(),

  passwordOf: (id: string): Promise<Pick<Tables['users'], 'email' | 'username' | 'passwordHash'>> =>
    db
      .selectFrom('users')
      .select(['email', 'username', 'passwordHash'])
      .where('_id', '=', id)
      .executeTakeFirstOrThrow(),

  /** Accounts as everybody sees them, by id, including those in the trash. */
  people: async (ids: readonly string[]): Promise<Map<string, Person>> => {
    if (ids.length === 0) return new Map()
    const rows = await db.selectFrom('users').select(['_id', 'username', 'avatar']).where(inList('_id', ids)).execute()
    return new Map(rows.map((row) => [row._id, row]))
  },

  /** The ids of accounts with these names: for each list of candidates, the first name that an account has. */
  named: async (tx: Transaction, names: readonly (readonly string[])[]): Promise<string[]> => {
    const keys = names.map((each) => each.map((name) => skeletonOf(name)))
    const all = [...new Set(keys.flat())]
    if (all.length === 0) return []
    const rows = await tx
      .selectFrom('usernames')
      .innerJoin('users', 'users._id', 'usernames.userId')
      .select(['usernames.key', 'usernames.userId'])
      .where('usernames.key', 'in', all)
      .where('users.deletedAt', 'is', null)
      .execute()
    const idOf = new Map(rows.map(({ key, userId }) => [key, userId]))
    const ids = keys.flatMap((each) => each.flatMap((key) => idOf.get(key) ?? []).slice(0, 1))
    return [...new Set(ids)]
  },

  refuseWeakPassword,

  /** Lets the avatars that show a picture follow it from one file to another, which has replaced it. */
  moveAvatars: async (tx: Transaction, from: string, to: string): Promise<void> => {
    const shown = tx
      .selectFrom('users')
      .select(['_id', 'avatar'])
      .where(hasAvatar(sql.val(from)))
    await lockRows(
      tx,
      (await shown.execute()).map(({ _id: id }) => ({ kind: 'User', id })),
    )
    const context = { actor: SYSTEM, origin: 'system' as const, reason: 'The picture has a new file', quiet: true }
    for (const { _id, avatar } of await shown.execute())
      await kept.updateIn(tx, _id, { avatar: avatar.replace(from, to) }, context)
  },

  /** Whether there is any account, including the trash. */
  any: async (from: Reader = db): Promise<boolean> =>
    (await from.selectFrom('users').select('_id').limit(1).executeTakeFirst()) !== undefined,

  /** Brings what older servers have written up to date. Returns the names that look like those of older accounts. */
  open: async (): Promise<string[]> => {
    await transaction(flagOldAvatars)
    await transaction(indexOldNames)
    return reserveExistingUsernames()
  },

  noteSignIn: async (id: string, at: string): Promise<void> => {
    await db.updateTable('users').set({ lastLogin: at }).where('_id', '=', id).execute()
  },
}

function labelsOf({ username, email }: Pick<UserFields, 'username' | 'email'>): Label[] {
  return [
    { language: '', text: username },
    { language: 'email', text: email },
  ]
}

/**
 * Indexes the names that older servers left out because they were spelled like the email of the account. An older server
 * may still be running, so accounts that have changed since shortly before the last start are checked again.
 */
async function indexOldNames(tx: Transaction): Promise<void> {
  const startedAt = time()
  const { namesIndexedAt = 0 } = await countersOf(tx, ['namesIndexedAt'])
  await setCounter(tx, 'namesIndexedAt', startedAt)
  const labelled = (language: string) => sql<boolean>`EXISTS (
    SELECT 1 FROM "labels" WHERE "entityId" = "users"."_id" AND "language" = ${language})`
  const unnamed = await tx
    .selectFrom('users')
    .select('_id')
    .where('deletedAt', 'is', null)
    .where('updatedAt', '>', new Date(namesIndexedAt - DAY_MS).toISOString())
    .where(labelled('email'))
    .where((row) => row.not(labelled('')))
    .execute()
  if (unnamed.length === 0) return
  const ids = unnamed.map(({ _id }) => _id)
  await lockRows(
    tx,
    ids.map((id) => ({ kind: 'User', id })),
  )
  const rows = await tx.selectFrom('users').select(['_id', 'username', 'email']).where(inList('_id', ids)).execute()
  for (const row of rows) await search.reindex(tx, 'User', row._id, labelsOf(row))
}

/** Accounts as search results, in the order of the ids. */
async function hits(ids: string[]): Promise<Found[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('users')
    .select(['_id', 'username'])
    .where(inList('_id', ids))
    .where('deletedAt', 'is', null)
    .execute()
  const nameOf = new Map(rows.map(({ _id, username }) => [_id, username]))
  return ids
    .filter((id) => nameOf.has(id))
    .map((_id) => ({ _id, translations: {}, originalTitle: nameOf.get(_id) ?? '', cover: '' as const }))
}

/** Accounts as `actor` may see them, in the order of the ids; those in the trash are left out. */
async function byIds(ids: string[], actor: Actor): Promise<User[]> {
  if (ids.length === 0) return []
  const [rows, tierAt] = await Promise.all([
    db.selectFrom('users').selectAll().where(inList('_id', ids)).where('deletedAt', 'is', null).execute(),
    tiers.ladder(),
  ])
  const invitationOf = await findInvitations(rows.filter(({ passwordHash }) => passwordHash === INVITED))
  const shown = rows.map(({ email, lastLogin, createdBy, ...row }): User => ({
    ...row,
    ...((actor.role !== 'user' || actor._id === row._id) && { email, lastLogin }),
    ...(actor.role !== 'user' && { invitation: invitationOf(row._id) }),
    createdBy: createdBy ?? undefined,
    tier: row.role === 'user' ? (tierAt(row.scores)?.name ?? '') : '',
  }))
  return orderByIds(ids, shown)
}

/** The invitations of accounts without a password: until when the last link is valid. */
async function findInvitations(invited: { _id: string; email: string }[]) {
  const ids = invited.map(({ _id }) => _id)
  const links =
    ids.length === 0
      ? []
      : await db
          .selectFrom('resets')
          .select(['userId', 'email', 'expiresAt'])
          .where('userId', 'in', ids)
          .where('expiresAt', '>', now())
          .where('createdAt', '<=', momentIn(CLOCK_TOLERANCE_MS))
          .orderBy('expiresAt')
          .execute()
  const linkOf = new Map(links.map((link) => [`${link.userId} ${link.email}`, link.expiresAt]))
  const known = new Map(invited.map(({ _id, email }) => [_id, { expiresAt: linkOf.get(`${_id} ${email}`) ?? null }]))
  return (id: string) => known.get(id)
}

/** Users find accounts by name only, since the addresses of others must not be guessable; others, by email too. */
function seenBy({ role }: Actor): string | undefined {
  return role === 'user' ? '' : undefined
}

const counterOf = ({ role, isActive }: Pick<UserFields, 'role' | 'isActive'>): string =>
  `userCount.${role}.${isActive ? 'active' : 'inactive'}`

async function countOf(role: UserFields['role'] | undefined, isActive: boolean | undefined): Promise<number> {
  const names = (role ? [role] : ROLES).flatMap((each) =>
    (isActive === undefined ? [true, false] : [isActive]).map((state) => counterOf({ role: each, isActive: state })),
  )
  return Object.values(await countersOf(db, names)).reduce((sum, count) => sum + count, 0)
}

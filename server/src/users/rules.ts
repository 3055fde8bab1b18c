import { fieldError } from '@mokuroku/contract/faults'
import { toFieldErrors } from '@mokuroku/contract/issues'
import { reasonText } from '@mokuroku/contract/reasons'
import { Username } from '@mokuroku/contract/users'
import { advisoryLock, type Transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import { forbidden, invalid, Refusal } from '#lib/errors.ts'
import type { WriteContext, EntityDefinition } from '#ledger/definition.ts'
import { INVITED } from '#access/password.ts'
import { checkPermission, enforce, SYSTEM } from '#access/permissions.ts'
import type { Reauthentication } from '#access/reauthentication.ts'
import { actorAfterWaiting } from '#access/session.ts'
import type { UserFields } from '#database/tables.ts'
import { skeletonOf } from './usernames.ts'

type State = UserFields | undefined

/**
 * Account invariants, enforced for every caller (docs/behaviour.md#permissions). Account writes are serialized, and each
 * reads the caller's permissions once more: of two administrators who demote each other, only the first may.
 */
export async function assertAccountRules(
  tx: Transaction,
  id: string,
  before: State,
  after: State,
  context: WriteContext,
): Promise<void> {
  await advisoryLock(tx, 'users')
  const actor = await actorAfterWaiting(tx, context.actor)
  enforce(context.verdict ?? checkPermission(actor, 'edit', 'User'))
  if (isAdmin(before) && !isAdmin(after)) await assertAdminRemains(tx, id)
  if (before && context.actor._id === id) assertNotSelf(before, after)
  for (const path of ['email', 'username'] as const)
    if (after && after[path].toLowerCase() !== before?.[path].toLowerCase())
      await assertUnique(tx, id, path, after[path])
  if (after && after.username !== before?.username) await checkUsername(tx, id, after.username)
  if (after && after.avatar !== before?.avatar) await checkAvatar(tx, id, after.avatar, context)
}

const isAdmin = (user: State): boolean => user?.role === 'admin' && user.isActive

/**
 * Which changes need the password again: credentials and powers of an account, for which a stolen token must not
 * suffice.
 */
export const passwordNeeded: NonNullable<EntityDefinition<UserFields>['reauthentication']> = (
  change,
): Reauthentication | undefined => {
  const { id, before, after, context, paths } = change
  const isOpening = before !== undefined && (paths.includes('email') || paths.includes('passwordHash'))
  if (isOpening && id === context.actor._id) return 'again'
  const isPromotion = before === undefined ? after?.role !== 'user' : isAdmin(after) && !isAdmin(before)
  return isOpening || isPromotion || (before !== undefined && paths.includes('role')) ? 'recent' : undefined
}

async function assertAdminRemains(tx: Transaction, id: string): Promise<void> {
  const other = await tx
    .selectFrom('users')
    .select('_id')
    .where('role', '=', 'admin')
    .where('isActive', '=', true)
    // An invited user without a password cannot sign in yet.
    .where('passwordHash', '!=', INVITED)
    .where('deletedAt', 'is', null)
    .where('_id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  if (other) return
  throw new Refusal(409, 'lastAdmin', reasonText('lastAdmin'))
}

function assertNotSelf(before: UserFields, after: State): void {
  if (!after || !after.isActive) throw new Refusal(409, 'self', reasonText('oneself'))
  if (after.role !== before.role) forbidden('ownRole')
  if (after.scores !== before.scores) forbidden('ownScores')
}

/** Checks a username. A restored account keeps the name it had. */
async function checkUsername(tx: Transaction, id: string, username: string): Promise<void> {
  const kept = await tx.selectFrom('users').select('username').where('_id', '=', id).executeTakeFirst()
  const parsed = Username.safeParse(username)
  if (kept?.username !== username && !(parsed.success && parsed.data === username)) {
    invalid(
      parsed.success
        ? [fieldError('username', 'usernameSpaces')]
        : toFieldErrors(parsed.error, username).map((each) => ({ ...each, path: 'username' })),
    )
  }
  const holder = await tx
    .selectFrom('usernames')
    .innerJoin('users', 'users._id', 'usernames.userId')
    .select('users._id')
    .where('usernames.key', '=', skeletonOf(username))
    .where('users._id', '!=', id)
    .where('users.deletedAt', 'is', null)
    .executeTakeFirst()
  // The history names the system itself as the author of its changes.
  const isSystem = kept?.username !== username && skeletonOf(username) === skeletonOf(SYSTEM.username)
  if (holder || isSystem)
    throw new Refusal(409, 'duplicate', DUPLICATE_MESSAGES.alike, [
      { path: 'username', message: DUPLICATE_MESSAGES.alike },
    ])
}

/** A public image of ours, in any of its sizes: an external URL would reveal to its host who looks at it. */
const AVATAR = /^\/files\/([\w.-]{1,100})(?:\?size=(?:small|medium))?$/

async function checkAvatar(tx: Transaction, id: string, avatar: string, { origin }: WriteContext): Promise<void> {
  // The system only lets an avatar follow its picture, which may have become private (`moveAvatars`).
  if (avatar === '' || origin === 'system') return
  const kept = await tx.selectFrom('users').select('avatar').where('_id', '=', id).executeTakeFirst()
  if (kept?.avatar === avatar) return
  const find = () =>
    tx
      .selectFrom('assets')
      .select('_id')
      .where('storageKey', '=', AVATAR.exec(avatar)?.[1] ?? '')
      .where('type', '=', 'IMAGE')
      .where('isPublic', '=', true)
      .where('deletedAt', 'is', null)
      .executeTakeFirst()
  const picture = await find()
  // Locked and read again, since a clean-up of unused files could move it to the trash.
  if (picture) await lockRows(tx, [{ kind: 'Asset', id: picture._id }])
  if (!picture || !(await find())) invalid([fieldError('avatar', 'avatarOwn')])
}

const DUPLICATE_MESSAGES = {
  email: reasonText('emailTaken'),
  username: reasonText('usernameTaken'),
  alike: reasonText('usernameAlike'),
}

async function assertUnique(tx: Transaction, id: string, path: 'email' | 'username', value: string): Promise<void> {
  const other = await tx
    .selectFrom('users')
    .select('_id')
    .where(({ fn }) => fn<string>('lower', [path]), '=', value.toLowerCase())
    .where('deletedAt', 'is', null)
    .where('_id', '!=', id)
    .executeTakeFirst()
  if (other)
    throw new Refusal(409, 'duplicate', DUPLICATE_MESSAGES[path], [{ path, message: DUPLICATE_MESSAGES[path] }])
}

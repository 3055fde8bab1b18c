import { oneAtATime, type Transaction } from '#lib/db.ts'
import { forbidden, Refusal } from '#lib/errors.ts'
import type { By, Keeping } from '#lib/keeping.ts'
import type { Reauthentication } from '#lib/reauthenticate.ts'
import type { UserFields } from '#lib/tables.ts'

type State = UserFields | undefined

/** What no change of an account may do, whoever makes it (decisions 5). Accounts are written one at a time. */
export async function checkAccount(tx: Transaction, id: string, before: State, after: State, by: By): Promise<void> {
  await oneAtATime(tx, 'users')
  if (isAdmin(before) && !isAdmin(after)) await keepAnAdmin(tx, id)
  if (before && by.actor._id === id) refuseOwn(before, after)
  for (const path of ['email', 'username'] as const)
    if (after && after[path].toLowerCase() !== before?.[path].toLowerCase())
      await refuseTaken(tx, id, path, after[path])
}

const isAdmin = (user: State): boolean => user?.role === 'admin' && user.isActive

/** What of an account opens it, or gives it power: a stolen token must not be enough to change it. */
export const passwordNeeded: NonNullable<Keeping<UserFields>['reauthentication']> = (
  change,
): Reauthentication | undefined => {
  const { id, before, after, by, paths } = change
  const isOpening = before !== undefined && (paths.includes('email') || paths.includes('passwordHash'))
  if (isOpening && id === by.actor._id) return 'again'
  const isPromotion = before === undefined ? after?.role !== 'user' : isAdmin(after) && !isAdmin(before)
  return isOpening || isPromotion || (before !== undefined && paths.includes('role')) ? 'recent' : undefined
}

async function keepAnAdmin(tx: Transaction, id: string): Promise<void> {
  const other = await tx
    .selectFrom('users')
    .select('_id')
    .where('role', '=', 'admin')
    .where('isActive', '=', true)
    .where('deletedAt', 'is', null)
    .where('_id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  if (other) return
  const message = 'The last active administrator can be neither demoted, deactivated nor deleted.'
  throw new Refusal(409, 'lastAdmin', message)
}

function refuseOwn(before: UserFields, after: State): void {
  if (!after || !after.isActive) throw new Refusal(409, 'self', 'You cannot deactivate or delete your own account.')
  if (after.role !== before.role) forbidden('Nobody changes their own role.')
  if (after.scores !== before.scores) forbidden('Nobody changes their own scores.')
}

const TAKEN = {
  email: 'This e-mail address already belongs to an account.',
  username: 'This username already belongs to an account.',
}

async function refuseTaken(tx: Transaction, id: string, path: keyof typeof TAKEN, value: string): Promise<void> {
  const other = await tx
    .selectFrom('users')
    .select('_id')
    .where(({ fn }) => fn<string>('lower', [path]), '=', value.toLowerCase())
    .where('deletedAt', 'is', null)
    .where('_id', '!=', id)
    .executeTakeFirst()
  if (other) throw new Refusal(409, 'duplicate', TAKEN[path], [{ path, message: TAKEN[path] }])
}

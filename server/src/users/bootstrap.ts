import { randomBytes } from 'node:crypto'
import { newTier } from '@mokuroku/contract/tiers'
import { advisoryLock, transaction } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { SYSTEM } from '#access/permissions.ts'
import { hashPassword } from '#access/password.ts'
import { tiers } from '#store/tiers'
import { users } from './store.ts'

export interface SignIn {
  email: string
  password: string
}

/** The address of the first administrator if none is given. */
const DEFAULT_EMAIL = 'admin@mokuroku.local'

/**
 * Creates the first administrator and the default tier if there is no user yet; only once, however many servers start
 * at the same time. Calls `log` with a line about what was not given. A generated password is printed before it is
 * stored: after a crash in between, the next start generates another one. The other way round, nobody would ever have
 * seen it. Returns whether it was created.
 */
export async function ensureFirstAdmin(
  given?: string,
  password?: string,
  log: (line: string) => void = () => undefined,
): Promise<boolean> {
  if (await users.any()) return false
  const email = given ?? DEFAULT_EMAIL
  const chosen = password ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(chosen)
  return transaction(async (tx) => {
    await advisoryLock(tx, 'first start')
    if (await users.any(tx)) return false
    await tiers.createIn(tx, newId(), { ...newTier(), name: 'Newcomer' }, { actor: SYSTEM, origin: 'system' })
    await users.add(tx, { username: 'admin', email, role: 'admin' }, passwordHash, { actor: SYSTEM, origin: 'system' })
    if (password === undefined)
      log(`The first administrator is ${email} with the password ${chosen} (shown only this once)`)
    else if (given === undefined) log(`The first administrator is ${email}, with the password in ADMIN_PASSWORD`)
    return true
  })
}

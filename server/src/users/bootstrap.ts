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

/**
 * Creates the first administrator and the default tier if there is no user yet; only once, however many servers start
 * at the same time. A generated password is announced before it is stored: after a crash in between, the next start
 * generates another one. The other way round, nobody would ever have seen it.
 */
export async function ensureFirstAdmin(
  email = 'admin@mokuroku.local',
  password?: string,
  announce: (signIn: SignIn) => void = () => undefined,
): Promise<void> {
  if (await users.any()) return
  const chosen = password ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(chosen)
  await transaction(async (tx) => {
    await advisoryLock(tx, 'first start')
    if (await users.any(tx)) return
    await tiers.createIn(tx, newId(), { ...newTier(), name: 'Newcomer' }, { actor: SYSTEM, origin: 'system' })
    await users.add(tx, { username: 'admin', email, role: 'admin' }, passwordHash, { actor: SYSTEM, origin: 'system' })
    if (password === undefined) announce({ email, password: chosen })
  })
}

import { randomBytes } from 'node:crypto'
import { newTier } from '@mokuroku/contract/tiers'
import { transaction } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { SYSTEM } from '#lib/may.ts'
import { hashPassword } from '#lib/password.ts'
import { tiers } from '#store/tiers'
import { users } from './store.ts'

export interface SignIn {
  email: string
  password: string
}

/**
 * Makes the first administrator and the default tier where there is no user yet.
 * Answers with the sign-in when the password was made here, so that it can be shown once.
 */
export async function firstStart(email = 'admin@mokuroku.local', password?: string): Promise<SignIn | undefined> {
  if (await users.any()) return undefined
  const chosen = password ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(chosen)
  await transaction(async (tx) => {
    await tiers.createIn(tx, newId(), { ...newTier(), name: 'Newcomer' }, { actor: SYSTEM, origin: 'system' })
    await users.add(tx, { username: 'admin', email, role: 'admin' }, passwordHash, { actor: SYSTEM, origin: 'system' })
  })
  return password === undefined ? { email, password: chosen } : undefined
}

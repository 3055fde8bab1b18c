import { verifyPassword } from '#access/password.ts'
import type { SignIn } from './bootstrap.ts'
import { users } from './store.ts'
import { ADMIN_COMMAND } from '#lib/adminCommand.ts'

/** The administrator of a demo, whose password is public. */
export const DEMO_SIGN_IN: SignIn = { email: 'demo@example.org', password: 'mokuroku-demo' }

/** Whether the database has the demo's administrator with the public password. */
export async function acceptsDemoPassword(): Promise<boolean> {
  const found = await users.withEmail(DEMO_SIGN_IN.email)
  return Boolean(found?.isActive) && (await verifyPassword(DEMO_SIGN_IN.password, found?.passwordHash))
}

/** Throws if the database still has the demo's administrator with the public password. */
export async function refuseDemoPassword(): Promise<void> {
  if (!(await acceptsDemoPassword())) return
  const { email } = DEMO_SIGN_IN
  throw new Error(
    `This catalogue was used as a demo, so the password of ${email} is public. ` +
      `Change it first: ${ADMIN_COMMAND} password ${email}`,
  )
}

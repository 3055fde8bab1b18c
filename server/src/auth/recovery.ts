import type { ForgotPassword, ResetPassword } from '@mokuroku/contract/auth'
import { reasonText } from '@mokuroku/contract/reasons'
import type { EmailLanguage } from '@mokuroku/contract/emailLanguages'
import { transaction } from '#database/db.ts'
import { Refusal } from '#lib/errors.ts'
import type { Client } from '#access/client.ts'
import { runInBackground } from '#lib/background.ts'
import { sendLater } from '#mail/outgoing.ts'
import { linkTo } from '#mail/send.ts'
import { checkPermission } from '#access/permissions.ts'
import { limiter } from '#access/limiter.ts'
import { hashPassword, INVITED } from '#access/password.ts'
import { actorOf, stillVerified } from '#access/session.ts'
import { ACCEPTED, audit } from '#store/audit'
import { hashOf, newToken, resets } from '#store/auth'
import { settings } from '#store/settings'
import { users } from '#store/users'
import { passwordResetEmail } from './emails.ts'
import { accountLimiter, attemptOf, limitByAddress } from './limits.ts'

/** How long a reset link works, in minutes. */
const LINK_MINUTES = 30

const asked = accountLimiter('reset links', { perNetwork: 5, perAccount: 20, minutes: 60 })
/**
 * Rate limits by address, generous because many people may share one: they bound the load without locking anybody out.
 */
export const limitAsking = limitByAddress(limiter('reset links by address', 100, 15))
export const limitResetting = limitByAddress(limiter('new passwords by address', 100, 15))

/**
 * Sends a password reset link if there is such an account. The link is created and sent after the response, so that
 * neither its content nor its timing reveals whether the account exists.
 */
export async function forgotPassword({ email, language }: ForgotPassword, client: Client) {
  await asked.take(attemptOf(email, await users.withEmail(email), client))
  runInBackground('sending a link to set a new password', () => sendLink(email, language, client))
  return { success: true }
}

/** Sets the password of the account that the link belongs to, and ends its sessions and other links. */
export async function resetPassword({ token, password }: ResetPassword, client: Client) {
  const tokenHash = hashOf(token)
  const user = (await resets.find(tokenHash)) ?? refuseLink(client)
  await users.refuseWeakPassword(password, user)
  const passwordHash = await hashPassword(password)
  const actor = { ...(await actorOf(user)), client }
  const reason = user.passwordHash === INVITED ? ACCEPTED : 'Set with a link from an email'
  const context = { actor, verdict: checkPermission(actor, 'profile', 'User', user._id), reason }
  await transaction(async (tx) => {
    // Check again in the transaction: the link may have been used or have expired in the meantime.
    if (!(await resets.take(tx, tokenHash))) refuseLink(client)
    await users.setPassword(tx, user._id, passwordHash, context)
  })
  return { success: true }
}

async function sendLink(email: string, language: EmailLanguage | undefined, client: Client): Promise<void> {
  const user = await users.withEmail(email)
  audit.recordLater({ action: 'account.resetAsked', client, about: { type: 'User', id: user?._id, label: email } })
  if (!user?.isActive) return
  const { token, tokenHash } = newToken()
  const link = linkTo(`/reset-password#token=${token}`)
  const message = passwordResetEmail({ ...user, ...(await settings.forEmail(language)) }, link, LINK_MINUTES)
  await transaction(async (tx) => {
    // Also locks the account, which is not deleted then until the link is stored.
    if (!(await stillVerified(tx, user))) return
    await resets.add(user, tokenHash, LINK_MINUTES, tx)
    await sendLater(tx, message, LINK_MINUTES, tokenHash)
  })
}

function refuseLink(client: Client): never {
  audit.recordLater({ action: 'account.passwordReset', outcome: 'failed', client })
  throw new Refusal(400, 'link', reasonText('linkInvalid'))
}

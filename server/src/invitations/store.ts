import { type Invitation, INVITATION_DAYS } from '@mokuroku/contract/invitations'
import type { EmailLanguage } from '@mokuroku/contract/emailLanguages'
import { reasonText } from '@mokuroku/contract/reasons'
import { type Actor, requirePermission } from '#access/permissions.ts'
import { INVITED } from '#access/password.ts'
import { reauthorize } from '#access/session.ts'
import { type Transaction, transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import { createdBefore } from '#ledger/idempotency.ts'
import { notFound, Refusal } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { linkTo } from '#mail/send.ts'
import { sendLater } from '#mail/outgoing.ts'
import { audit } from '#store/audit'
import { newToken, resets } from '#store/auth'
import { settings } from '#store/settings'
import { users } from '#store/users'
import { invitationEmail } from './email.ts'

const LINK_MINUTES = INVITATION_DAYS * 24 * 60

export const invitations = {
  /**
   * Adds an account that nobody can sign in to yet, and sends the link, unless a request with this key has done so
   * before. Returns its id. Throws 409 if it is inactive.
   */
  send: async ({ language, ...input }: Invitation, actor: Actor, key?: string): Promise<string> => {
    if (input.isActive === false) refuseInactive()
    const context = await settings.forEmail(language)
    return transaction(async (tx) => {
      const id = newId()
      const earlier = await createdBefore(tx, 'User', { actor, key }, id)
      if (earlier !== undefined) return earlier
      await users.add(tx, input, INVITED, { actor, id })
      await sendLink(tx, { _id: id, ...input }, actor, context)
      return id
    })
  },

  /** Sends a new link, which replaces earlier ones. Throws 409 if the account has a password already. */
  sendAgain: async (id: string, language: EmailLanguage | undefined, caller: Actor): Promise<void> => {
    const context = await settings.forEmail(language)
    await transaction(async (tx) => {
      await lockRows(tx, [{ kind: 'User', id }])
      const actor = await reauthorize(tx, caller)
      requirePermission(actor, 'edit', 'User')
      const user = await tx
        .selectFrom('users')
        .select(['_id', 'username', 'email', 'passwordHash', 'isActive'])
        .where('_id', '=', id)
        .where('deletedAt', 'is', null)
        .executeTakeFirst()
      if (!user) return notFound('User')
      if (user.passwordHash !== INVITED) throw new Refusal(409, 'accepted', reasonText('invitationAccepted'))
      if (!user.isActive) refuseInactive()
      await sendLink(tx, user, actor, context)
    })
  },
}

/** The link of an inactive account does not work. */
function refuseInactive(): never {
  throw new Refusal(409, 'inactive', reasonText('invitationInactive'))
}

/** The link is only in the email: so whoever chooses the password can read emails to this address. */
async function sendLink(
  tx: Transaction,
  user: { _id: string; email: string; username: string },
  actor: Actor,
  context: { site: string; language: EmailLanguage },
): Promise<void> {
  const { token, tokenHash } = newToken()
  await resets.end(tx, user._id)
  await resets.add(user, tokenHash, LINK_MINUTES, tx)
  const link = linkTo(`/invitation#token=${token}`)
  const email = invitationEmail({ ...user, ...context, by: actor.username }, link, INVITATION_DAYS)
  await sendLater(tx, email, LINK_MINUTES, tokenHash)
  audit.record(tx, { action: 'account.invited', actor, about: { type: 'User', id: user._id, label: user.email } })
}

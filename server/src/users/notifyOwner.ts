import { afterCommit, db, type Transaction } from '#database/db.ts'
import { later } from '#lib/later.ts'
import { sendMail } from '#mail/send.ts'
import type { UserFields } from '#database/tables.ts'
import { settings } from '#store/settings'
import { addressEmails, passwordEmail } from './emails.ts'

/** Once it is stored: to the address that the account then has. */
export function emailNewPassword(tx: Transaction, id: string): void {
  const send = async () => {
    const account = db.selectFrom('users').select(['email', 'username']).where('_id', '=', id)
    const { email, username } = await account.executeTakeFirstOrThrow()
    await sendMail(passwordEmail(email, await emailData(username)))
  }
  afterCommit(tx, () => later('sending an e-mail about a new password', send))
}

/** Each address by itself: one that takes no mail does not keep the other from knowing. */
export function emailNewAddress(tx: Transaction, from: string, { email: to, username }: UserFields): void {
  const send = async () => {
    const emails = addressEmails(from, to, await emailData(username))
    for (const email of emails) later('sending an e-mail about a new address', () => sendMail(email))
  }
  afterCommit(tx, () => later('sending e-mails about a new address', send))
}

async function emailData(username: string) {
  const { name: site, defaultLanguage } = await settings.site()
  return { username, site, language: defaultLanguage.startsWith('zh') ? ('zh' as const) : ('en' as const) }
}

import { db, type Transaction, transaction } from '#database/db.ts'
import type { UserFields } from '#database/tables.ts'
import { enqueue } from '#jobs/queue.ts'
import { registerWork } from '#jobs/work.ts'
import { newId } from '#lib/ids.ts'
import type { EmailMessage } from '#mail/email.ts'
import { sendLater } from '#mail/outgoing.ts'
import { settings } from '#store/settings'
import { addressEmails, passwordEmail } from './emails.ts'

/** How long sending such an email is retried: long enough for a mail server that is down over a weekend. */
const EXPIRY_MINUTES = 7 * 24 * 60
/** The kinds of jobs that notify an owner; each queues the emails as jobs of their own. */
const [PASSWORD, ADDRESS] = ['users.newPassword', 'users.newAddress']

/** Queues an email to the address that the account has when the job runs. */
export const emailNewPassword = (tx: Transaction, id: string): Promise<void> => add(tx, PASSWORD, { id })

/** Queues emails to the old and the new address. */
export const emailNewAddress = (tx: Transaction, from: string, { email: to, username }: UserFields): Promise<void> =>
  add(tx, ADDRESS, { from, to, username })

const add = (tx: Transaction, kind: string, payload: Payload): Promise<void> =>
  enqueue(tx, { id: newId(), kind, payload })

type Payload = Record<string, string>

const registerEmails = (kind: string, emailsOf: (payload: Payload) => Promise<EmailMessage[]>): void =>
  registerWork(kind, {
    ignoresSignal: true,
    run: async ({ payload, hold }) => {
      const emails = await emailsOf(payload as Payload)
      await transaction(async (tx) => {
        for (const email of emails) await sendLater(tx, email, EXPIRY_MINUTES)
        await hold(tx, 0)
      })
    },
  })

registerEmails(PASSWORD, async ({ id = '' }) => {
  const query = db.selectFrom('users').select(['email', 'username']).where('_id', '=', id)
  const account = await query.executeTakeFirst()
  // It may have been purged meanwhile.
  if (!account) return []
  return [passwordEmail(account.email, { username: account.username, ...(await settings.forEmail()) })]
})

// A job per address, so that one that accepts no email does not block the other.
registerEmails(ADDRESS, async ({ from = '', to = '', username = '' }) =>
  addressEmails(from, to, { username, ...(await settings.forEmail()) }),
)

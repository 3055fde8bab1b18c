// E-mails that are sent in the background, however often the mail server is away meanwhile.
import { seal, unseal } from '#access/seal.ts'
import type { Transaction } from '#database/db.ts'
import { enqueue } from '#jobs/queue.ts'
import { JobFailed, registerWork } from '#jobs/work.ts'
import { newId } from '#lib/ids.ts'
import type { EmailMessage } from './email.ts'
import { MailFailure, type MailFailureCode } from './failure.ts'
import { sendMail } from './send.ts'

/** The kind of job that sends an e-mail. Its payload is sealed, for it may hold a link that opens an account. */
export const SENDING = 'mail.send'
/** How often an e-mail is tried: for about half an hour, which is how long a link works. */
const ATTEMPTS = 35
/** What the mail server will say again however often it is asked. */
const FINAL = new Set<MailFailureCode>(['address', 'refused'])

/** Has an e-mail sent once the transaction is committed, and not when it fails. */
export const sendLater = (tx: Transaction, email: EmailMessage): Promise<void> =>
  enqueue(tx, { id: newId(), kind: SENDING, payload: { sealed: seal(JSON.stringify(email), SENDING) } })

registerWork(SENDING, {
  attempts: ATTEMPTS,
  run: async ({ payload }) => {
    const email = unseal(String(payload.sealed), SENDING)
    if (email === undefined) throw new JobFailed('The e-mail was sealed with another AUTH_SECRET')
    try {
      await sendMail(JSON.parse(email) as EmailMessage)
    } catch (error) {
      if (error instanceof MailFailure && FINAL.has(error.code)) throw new JobFailed(error.message, { cause: error })
      throw error
    }
  },
  // Sent or not, nothing of it stays.
  ended: async (tx, id) => {
    await tx.deleteFrom('jobs').where('_id', '=', id).execute()
  },
})

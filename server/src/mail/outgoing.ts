// Sends emails in the background, with retries while the mail server is unavailable, until they expire.
import { seal, unseal } from '#access/seal.ts'
import { db, type Transaction } from '#database/db.ts'
import { enqueue } from '#jobs/queue.ts'
import { JobFailed, registerWork } from '#jobs/work.ts'
import { momentIn, now } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import type { EmailMessage } from './email.ts'
import { MailFailure, type MailFailureCode } from './failure.ts'
import { sendMail } from './send.ts'

/** The kind of job that sends an email. Its payload is encrypted, since it may contain a link that opens an account. */
export const SENDING = 'mail.send'
/** Failures that retrying cannot solve. */
const FINAL = new Set<MailFailureCode>(['address', 'refused'])

/**
 * Queues an email in a transaction: it is sent once that commits, and not if it fails. If it cannot be sent within
 * `minutes`, it is dropped; and if it has the link with the hash `link`, once that is used or revoked.
 */
export const sendLater = (tx: Transaction, email: EmailMessage, minutes: number, link?: string): Promise<void> => {
  const payload = { sealed: seal(JSON.stringify(email), SENDING), expiresAt: momentIn(minutes * 60_000), link }
  return enqueue(tx, { id: newId(), kind: SENDING, payload })
}

const isRevoked = async (link: string): Promise<boolean> =>
  (await db.selectFrom('resets').select('tokenHash').where('tokenHash', '=', link).executeTakeFirst()) === undefined

registerWork(SENDING, {
  // Its expiry limits them.
  attempts: Infinity,
  ignoresSignal: true,
  // A mail server that does not respond holds up each email for a while, but no other work.
  hasOwnSlot: true,
  run: async ({ _id, payload }) => {
    if (String(payload.expiresAt) <= now()) throw new JobFailed('The email expired before it could be sent')
    if (typeof payload.link === 'string' && (await isRevoked(payload.link))) return
    const email = unseal(String(payload.sealed), SENDING)
    if (email === undefined) throw new JobFailed('The email was sealed with another AUTH_SECRET')
    try {
      await sendMail({ ...(JSON.parse(email) as EmailMessage), id: _id })
    } catch (error) {
      if (error instanceof MailFailure && FINAL.has(error.code)) throw new JobFailed(error.message, { cause: error })
      throw error
    }
  },
  // Whether it was sent or not, nothing of it is kept.
  ended: async (tx, id) => {
    await tx.deleteFrom('jobs').where('_id', '=', id).execute()
  },
})

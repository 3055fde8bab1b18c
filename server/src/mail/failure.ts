import type { MAIL_FAILURES } from '@mokuroku/contract/settings'

/** Why sending an email failed; `detail` is the mail server's response, or the error message. */
export class MailFailure extends Error {
  readonly code: MailFailureCode
  readonly detail: string

  constructor(code: MailFailureCode, detail: string) {
    super(`The mail was not sent (${code}): ${detail}`)
    this.code = code
    this.detail = detail
  }
}
export type MailFailureCode = (typeof MAIL_FAILURES)[number]

/** An error of nodemailer. */
interface MailerError extends Error {
  code?: string
  response?: string
  responseCode?: number
  /** The command that failed. */
  command?: string
  originalCode?: string
}

/** Converts an error of nodemailer. */
export function failureOf(error: unknown): MailFailure {
  const explained: MailerError = error instanceof Error ? error : new Error(String(error))
  const detail = explained.response ?? explained.message
  return new MailFailure(codeOf(explained), detail.replaceAll(/\s+/g, ' ').slice(0, MAX_DETAIL_CHARS))
}

const MAX_DETAIL_CHARS = 300

function codeOf({
  code = '',
  response = '',
  responseCode,
  command,
  originalCode = '',
  message,
}: MailerError): MailFailureCode {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login'
  if (CERTIFICATE.test(`${originalCode} ${message}`)) return 'certificate'
  if (code === 'ETLS' || code === 'EREQUIRETLS') return 'encryption'
  if (responseCode !== undefined && responseCode >= 400 && responseCode < 500) return 'later'
  if (responseCode !== undefined && (command === 'MAIL FROM' || SENDER.test(response))) return 'sender'
  if (code === 'EENVELOPE') return 'address'
  if (responseCode !== undefined) return 'refused'
  if (code === 'ETIMEDOUT' || code === 'EABORT') return 'timeout'
  if (code === 'ECONNECTION') return 'cut'
  if (code === 'EDNS' || code === 'ESOCKET') return /RESET|PIPE/.test(originalCode) ? 'cut' : 'unreachable'
  return 'other'
}

/**
 * Replies about the sender to later commands, for which many servers wait: the enhanced status codes of RFC 3463, and
 * the words of Postfix and Exchange.
 */
const SENDER = /\b5\.1\.[78]\b|sender (address )?(rejected|denied)|not owned by user|sendasdenied/i
const CERTIFICATE = /CERT|SELF_SIGNED|self.signed/i

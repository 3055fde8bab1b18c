import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type * as Nodemailer from 'nodemailer'
import type { Logger } from 'pino'
import { time } from '#lib/clock.ts'
import { newId } from '#lib/ids.ts'
import { lazy } from '#lib/lazy.ts'
import { counter } from '#lib/metrics.ts'
import { inSpan } from '#lib/tracing.ts'
import { type EmailMessage, renderEmail } from './email.ts'
import { failureOf, MailFailure } from './failure.ts'

/** Timeout of each step of the conversation with the mail server, in milliseconds. */
const SMTP_TIMEOUT_MS = 15_000
/** The whole conversation may take as long as this many steps: a server that says one line after another never ends. */
const MAX_STEPS = 8
/** Maximum number of unsent emails in the outbox folder. */
const MAX_OUTBOX_FILES = 500
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** The mail settings from the server's environment. */
export interface MailSettings {
  /** `smtp://user:password@host:port`; without it, emails are written to the outbox folder. */
  url?: string | undefined
  /** An address, or `Name <address>`. */
  from: string
  /** Base URL of links in emails. */
  publicUrl: string
  /** The folder for emails that are not sent. */
  outbox: string
  log?: Pick<Logger, 'info'>
  /** Timeout of each step, in milliseconds. */
  timeoutMs?: number
}

const sent = counter('mail_messages_total', 'Emails by outcome: sent, kept in the outbox, or why they failed', [
  'outcome',
])

let opened: (MailSettings & { send: Send }) | undefined
type Send = (email: EmailMessage) => Promise<void>

/** Configures how emails are sent from now on. */
export function openMail(settings: MailSettings): void {
  opened = { ...settings, send: settings.url ? bySmtp(settings, settings.url) : toOutbox(settings) }
}

/** What may be shown of the settings: never the password in the URL. */
export function mailState(): { isConfigured: boolean; server: string; from: string } {
  const server = opened?.url ? new URL(opened.url).host : ''
  return { isConfigured: server !== '', server, from: opened?.from ?? '' }
}

/** The URL of a screen, for an email. */
export const linkTo = (path: string): string => `${opened?.publicUrl.replace(/\/+$/, '') ?? ''}${path}`

/** Sends an email, or writes it to the outbox. Throws MailFailure if the mail server did not accept it. */
export async function sendMail(email: EmailMessage): Promise<void> {
  if (!opened) throw new MailFailure('other', 'Mail is not set up')
  try {
    await opened.send(email)
    sent.inc({ outcome: opened.url ? 'sent' : 'outbox' })
  } catch (error) {
    sent.inc({ outcome: error instanceof MailFailure ? error.code : 'outboxFailed' })
    throw error
  }
}

const toMessage = ({ from, publicUrl }: MailSettings, email: EmailMessage) => ({
  from,
  date: new Date(time()),
  ...renderEmail(email),
  ...(email.id !== undefined && { messageId: `<${email.id}@${new URL(publicUrl).hostname}>` }),
})

function bySmtp(settings: MailSettings, url: string): Send {
  const { timeoutMs = SMTP_TIMEOUT_MS } = settings
  const { hostname, port, protocol, password, searchParams } = new URL(url)
  // A password requires TLS, unless the URL says otherwise or the server is local.
  const isOpen = searchParams.has('requireTLS') || searchParams.has('ignoreTLS') || LOOPBACK.test(hostname)
  const transport = onFirstUse(({ createTransport }) =>
    createTransport({
      url,
      ...(password && !isOpen && { requireTLS: true }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  const attributes = {
    'server.address': hostname,
    'server.port': Number(port || (protocol === 'smtps:' ? 465 : 587)),
  }
  return async (email) => {
    try {
      await inSpan('smtp send', { kind: 'client', attributes }, async () =>
        (await transport()).sendMail({
          ...toMessage(settings, email),
          signal: AbortSignal.timeout(MAX_STEPS * timeoutMs),
        }),
      )
    } catch (error) {
      throw failureOf(error)
    }
  }
}

/** Creates something with nodemailer on first use: most servers send few emails, so loading it can wait. */
const onFirstUse = <Made>(make: (nodemailer: typeof Nodemailer) => Made): (() => Promise<Made>) =>
  lazy(() => import('nodemailer').then(make))

/**
 * Writes emails to files that only the server's own account may read, since they may contain links that open accounts.
 */
function toOutbox(settings: MailSettings): Send {
  const { outbox, log } = settings
  const composer = onFirstUse(({ createTransport }) => createTransport({ streamTransport: true, buffer: true }))
  return async (email) => {
    const { message } = await (await composer()).sendMail(toMessage(settings, email))
    await mkdir(outbox, { recursive: true, mode: 0o700 })
    await chmod(outbox, 0o700)
    const file = join(outbox, `${newId()}.eml`)
    try {
      await writeFile(`${file}.part`, message, { mode: 0o600, flag: 'wx' })
      await rename(`${file}.part`, file)
    } catch (error) {
      await rm(`${file}.part`, { force: true })
      throw error
    }
    log?.info({ to: email.to, subject: email.subject, file }, 'mail is not set up: the message is kept in a file')
    await dropOldest(outbox)
  }
}

async function dropOldest(outbox: string): Promise<void> {
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml')).toSorted()
  for (const name of names.slice(0, -MAX_OUTBOX_FILES)) await rm(join(outbox, name), { force: true })
}

// The emails that the server under test sends, as it writes them without a mail server.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach } from 'vitest'
import { openMail } from '#mail/send.ts'
import { temporaryFolder } from './folder.ts'
import { messageIn } from './smtp.ts'

export const PUBLIC_URL = 'https://catalogue.example.org'

let outbox = ''

/** Gives each test of a file an empty outbox. */
export const withOutbox = (): void => beforeEach(emptyOutbox)

/** Forgets the emails sent so far. */
export function emptyOutbox(): void {
  outbox = temporaryFolder()
  useMailServer()
}

/** Sends emails by the mail server at a URL; without one, they are written to the outbox. */
export const useMailServer = (url?: string): void =>
  openMail({ from: 'mokuroku@example.org', publicUrl: PUBLIC_URL, outbox, url })

/** The emails in the outbox, in the order in which they were sent. */
export const emails = () =>
  readdirSync(outbox)
    // Others are still being written.
    .filter((name) => name.endsWith('.eml'))
    .toSorted()
    .map((name) => {
      const raw = readFileSync(join(outbox, name), 'utf8')
      return { raw, to: /^To: (.*?)\r?$/m.exec(raw)?.[1], ...messageIn(raw.replaceAll(/\r?\n/g, '\r\n')) }
    })

/** The token in the link of an email. */
export const tokenIn = (text = ''): string => /#token=([\w-]+)/.exec(text)?.[1] ?? ''

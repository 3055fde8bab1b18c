/** How the server's environment says that mail is sent. */
export interface MailSettings {
  /** `smtp://user:password@host:port`; without it, messages are kept in a folder. */
  url?: string | undefined
  /** An address, or `Name <address>`. */
  from: string
  /** The folder for what is not sent. */
  outbox: string
}

let opened: MailSettings | undefined

/** Says how mail goes out from here on. */
export function openMail(settings: MailSettings): void {
  opened = settings
}

/** What may be shown of it: never the password of the address. */
export function mailState(): { isConfigured: boolean; server: string; from: string } {
  const server = opened?.url ? new URL(opened.url).host : ''
  return { isConfigured: server !== '', server, from: opened?.from ?? '' }
}

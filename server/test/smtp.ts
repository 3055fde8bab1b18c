// A real SMTP server on loopback, and the messages that it received.
import { once } from 'node:events'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface Received {
  from: string
  to: string[]
  /** The user who signed in to send it. */
  user: string
  isEncrypted: boolean
  subject: string
  text: string
  html: string
}

/** Accepts messages from the user `mokuroku` with the password `p@ss`, unless `options` say otherwise. */
export async function smtpServer(options: SMTPServerOptions = {}) {
  const received: Received[] = []
  const attempts: string[] = []
  const server = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    onAuth: ({ username = '', password }, _, done) => {
      attempts.push(username)
      if (username === 'mokuroku' && password === 'p@ss') done(null, { user: username })
      else done(Object.assign(new Error('Invalid username or password'), { responseCode: 535 }))
    },
    onData: (stream, { envelope, user, secure }, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.once('end', () => {
        received.push({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          user: user ?? '',
          isEncrypted: secure,
          ...messageIn(Buffer.concat(parts).toString('utf8')),
        })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address()
  const port = address && typeof address === 'object' ? address.port : 0
  return { port, received, attempts, close: () => new Promise<void>((closed) => server.close(closed)) }
}

/** The subject and the two bodies of a raw message (RFC 5322, 2045 and 2047). */
export function messageIn(raw: string): Pick<Received, 'subject' | 'text' | 'html'> {
  const [head = ''] = raw.split('\r\n\r\n')
  const unfolded = head.replaceAll(/\r\n\s+/g, ' ')
  const boundary = /boundary="([^"]+)"/.exec(unfolded)?.[1] ?? ''
  const parts = raw.split(`--${boundary}`).slice(1, -1)
  const body = (type: string) => decodedPart(parts.find((part) => part.includes(`Content-Type: ${type}`)) ?? '')
  return {
    subject: decodedWords(/^Subject: (.*)$/m.exec(unfolded)?.[1] ?? ''),
    text: body('text/plain'),
    html: body('text/html'),
  }
}

function decodedPart(part: string): string {
  const [head = '', ...rest] = part.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n').replace(/\r\n$/, '')
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
  return (/quoted-printable/i.test(head) ? unquoted(body.replaceAll('=\r\n', '')) : body).replaceAll('\r\n', '\n')
}

const decodedWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, how: string, word: string) =>
      how.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : unquoted(word.replaceAll('_', ' ')),
    )

const unquoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8')

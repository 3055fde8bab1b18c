import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { resetClock, setClock } from '#lib/clock.ts'
import { smtpServer } from '#test/smtp.ts'
import { freePort } from '#test/process.ts'
import type { EmailMessage } from './email.ts'
import { linkTo, mailState, openMail, sendMail } from './send.ts'

const folder = mkdtempSync(join(tmpdir(), 'mokuroku-mail-'))
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  rmSync(folder, { recursive: true, force: true })
})

const letter: EmailMessage = {
  to: 'rin@example.org',
  subject: 'Grüße aus 目録',
  language: 'en',
  before: ['Hello <b>Rin</b> & others,'],
  link: { label: 'Open', url: 'https://catalogue.example.org/reset-password#token=a&b="c"' },
  after: ['Bye.'],
}
const settings = {
  from: 'Mokuroku <mokuroku@example.org>',
  outbox: join(folder, 'outbox'),
  publicUrl: 'https://catalogue.example.org/',
}

async function anSmtpServer(options: SMTPServerOptions = {}) {
  const server = await smtpServer(options)
  closing.push(server.close)
  return server
}

/** A mail server that sends `greeting`, then runs `then`. */
async function aServer(greeting: string, then: (socket: Socket) => void = () => undefined): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write(greeting)
    then(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  const address = server.address()
  return address && typeof address === 'object' ? address.port : 0
}

const sendTo = (port: number, address = '', query = '', timeoutMs?: number) => {
  openMail({ ...settings, url: `smtp://${address}127.0.0.1:${port}${query}`, ...(timeoutMs && { timeoutMs }) })
  return sendMail(letter)
}

test('sends a message to the mail server, as text and as equivalent HTML', async () => {
  const server = await anSmtpServer()
  await sendTo(server.port, 'mokuroku:p%40ss@', '?tls.rejectUnauthorized=false')
  const [mail] = server.received
  expect(mail).toMatchObject({ from: 'mokuroku@example.org', to: ['rin@example.org'], user: 'mokuroku' })
  expect(mail?.subject).toBe('Grüße aus 目録')
  expect(mail?.text).toBe(`Hello <b>Rin</b> & others,\n\nOpen:\n${letter.link?.url}\n\nBye.\n`)
  expect(mail?.html).toContain('Hello &lt;b&gt;Rin&lt;/b&gt; &amp; others,')
  expect(mail?.html).toContain('href="https://catalogue.example.org/reset-password#token=a&amp;b=&quot;c&quot;"')
  expect(mail?.html).toContain('<html lang="en">')
  expect(mail?.isEncrypted).toBe(true)
})

test('the server address to display contains no password', () => {
  openMail({ ...settings, url: 'smtps://mokuroku:p%40ss@mail.example.org:465' })
  expect(mailState()).toEqual({ isConfigured: true, server: 'mail.example.org:465', from: settings.from })
  openMail(settings)
  expect(mailState()).toEqual({ isConfigured: false, server: '', from: settings.from })
})

test('class 10: links point to the public URL', () => {
  openMail(settings)
  expect(linkTo('/login')).toBe('https://catalogue.example.org/login')
})

test('rejects a recipient with more than one address', async () => {
  const server = await anSmtpServer({ authOptional: true })
  openMail({ ...settings, url: `smtp://127.0.0.1:${server.port}?ignoreTLS=true` })
  await expect(
    sendMail({ ...letter, to: 'rin@example.org, everybody@example.org', subject: 'x\r\nBcc: all@example.org' }),
  ).rejects.toMatchObject({ code: 'address' })
  expect(server.received).toEqual([])
})

test('reports a refused sign-in without the password', async () => {
  const server = await anSmtpServer()
  const failure = await sendTo(server.port, 'mokuroku:wrong-secret@', '?tls.rejectUnauthorized=false').catch(
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ code: 'login', detail: expect.stringContaining('535') })
  expect(String(failure)).not.toContain('wrong-secret')
})

test.each([
  ['temporary refusal of the recipient', { onRcptTo: refuse(451, 'Greylisted') }, 'later', '451 Greylisted'],
  ['temporary refusal of the message', { onData: refuse(451, 'Try again') }, 'later', '451 Try again'],
  ['permanent refusal of the message', { onData: refuse(554, 'No spam here') }, 'refused', '554 No spam here'],
  [
    'permanent refusal of the sender',
    { onMailFrom: refuse(550, 'Not your address') },
    'sender',
    '550 Not your address',
  ],
  [
    'refusal of the sender after the recipient',
    { onRcptTo: refuse(553, '5.7.1 <mokuroku@example.org>: Sender address rejected: not owned by user') },
    'sender',
    'Sender address rejected',
  ],
  ['refusal of the sender after the message', { onData: refuse(550, '5.1.8 Bad sender') }, 'sender', 'Bad sender'],
  ['permanent refusal of the recipient', { onRcptTo: refuse(550, 'No such user') }, 'address', '550 No such user'],
] as const)('reports a %s with the reply of the server', async (_, options, code, detail) => {
  const server = await anSmtpServer({ ...options, authOptional: true })
  await expect(sendTo(server.port, '', '?ignoreTLS=true')).rejects.toMatchObject({
    code,
    detail: expect.stringContaining(detail),
  })
})

test('reports a connection that is cut off', async () => {
  const port = await aServer('220 ready\r\n', (socket) => socket.once('data', () => socket.destroy()))
  await expect(sendTo(port)).rejects.toMatchObject({ code: 'cut' })
})

test('times out when the server does not respond', async () => {
  const began = Date.now()
  for (const greeting of ['', '220 ready\r\n'])
    await expect(sendTo(await aServer(greeting), '', '', 500)).rejects.toMatchObject({ code: 'timeout' })
  expect(Date.now() - began).toBeLessThan(10_000)
})

test('times out when the response of the server never ends', async () => {
  const port = await aServer('220 ready\r\n', (socket) => {
    const talking = setInterval(() => socket.write('250-more\r\n'), 20)
    socket.once('close', () => clearInterval(talking))
  })
  await expect(sendTo(port, '', '', 500)).rejects.toMatchObject({ code: 'timeout' })
})

test('reports an unreachable server', async () => {
  await expect(sendTo(await freePort())).rejects.toMatchObject({ code: 'unreachable' })
})

test('sends nothing, not even the password, if required encryption is not offered', async () => {
  const server = await anSmtpServer({ disabledCommands: ['STARTTLS'] })
  await expect(sendTo(server.port, 'mokuroku:p%40ss@', '?requireTLS=true')).rejects.toMatchObject({
    code: 'encryption',
  })
  expect(server.attempts).toEqual([])
})

test('sends a password without encryption only to this machine, or if the address asks for it', async () => {
  const server = await anSmtpServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true })
  // Reaches this machine, but is not one of its names.
  const remote = `smtp://mokuroku:p%40ss@0.0.0.0:${server.port}`
  openMail({ ...settings, url: remote })
  await expect(sendMail(letter)).rejects.toMatchObject({ code: 'encryption' })
  expect(server.attempts).toEqual([])
  openMail({ ...settings, url: `${remote}?ignoreTLS=true` })
  await sendMail(letter)
  await sendTo(server.port, 'mokuroku:p%40ss@')
  expect(server.received).toHaveLength(2)
})

test('rejects an untrusted certificate before signing in', async () => {
  const server = await anSmtpServer()
  await expect(sendTo(server.port, 'mokuroku:p%40ss@')).rejects.toMatchObject({ code: 'certificate' })
  expect(server.attempts).toEqual([])
})

test('without a mail server, writes a private file and logs its path without the link', async () => {
  const logged: unknown[] = []
  openMail({ ...settings, log: { info: (line: unknown) => void logged.push(line) } })
  await sendMail(letter)
  const [name = ''] = readdirSync(settings.outbox)
  const file = join(settings.outbox, name)
  expect(name).toMatch(/^[0-9a-f-]{36}\.eml$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(settings.outbox).mode & 0o777).toBe(0o700)
  const message = readFileSync(file, 'utf8')
  for (const header of ['To: rin@example.org', 'Auto-Submitted: auto-generated', 'Content-Language: en'])
    expect(message).toContain(`${header}\r\n`)
  expect(logged).toEqual([{ to: letter.to, subject: letter.subject, file }])
})

test('dates a message by the time of the server, whatever the clock of its machine', async () => {
  onTestFinished(resetClock)
  setClock(Date.parse('2030-05-06T07:08:09.000Z'), 0)
  openMail(settings)
  await sendMail(letter)
  const [name = ''] = readdirSync(settings.outbox)
  expect(readFileSync(join(settings.outbox, name), 'utf8')).toContain('\r\nDate: Mon, 06 May 2030 07:08:')
})

test('keeps only the latest 500 unsent messages', async () => {
  openMail(settings)
  for (let each = 0; each < 503; each++) await sendMail({ ...letter, subject: `Number ${each}` })
  const names = readdirSync(settings.outbox).toSorted()
  expect(names).toHaveLength(500)
  expect(readFileSync(join(settings.outbox, names.at(-1) ?? ''), 'utf8')).toContain('Number 502')
})

/** Makes an SMTP server handler refuse with this reply. */
function refuse(responseCode: number, message: string) {
  return (...given: unknown[]) => {
    const [stream] = given as [{ resume?: () => void }]
    stream.resume?.()
    const callback = given.at(-1) as (error: Error) => void
    callback(Object.assign(new Error(message), { responseCode }))
  }
}

import { join } from 'node:path'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { closeDatabase, openDatabase } from './lib/db.ts'
import { bucketIn, readEnv } from './lib/env.ts'
import { releaseFolder, takeFolder } from './lib/folder.ts'
import { openMail } from './lib/mail.ts'
import { readSecret } from './lib/secret.ts'
import { signWith } from './lib/session.ts'
import { removeOldDaily } from './notifications/old.ts'
import { loadSample } from './sample/load.ts'
import { search } from './search/store.ts'
import { purgeDaily } from './trash/purge.ts'
import { settings } from './settings/store.ts'
import { firstStart } from './users/first.ts'

const DEMO_SIGN_IN = { email: 'demo@example.org', password: 'mokuroku-demo' }

try {
  await start()
} catch (error) {
  process.stderr.write(`Mokuroku cannot start. ${sentenceOf(error)}\n`)
  process.exit(1)
}

async function start(): Promise<void> {
  const env = readEnv()
  takeFolder(env.DATA_DIR)
  await openDatabase({ url: env.DATABASE_URL, folder: env.DATA_DIR })
  signWith(readSecret(env.AUTH_SECRET, env.DATA_DIR))
  await settings.open(env)
  const demo = env.DEMO === 'on' ? DEMO_SIGN_IN : undefined
  const made = await firstStart(demo?.email ?? env.ADMIN_EMAIL, demo?.password ?? env.ADMIN_PASSWORD)
  const logger = pino({ level: env.LOG_LEVEL, redact: ['req.headers.authorization', '*.password', '*.token'] })
  openMail({
    url: env.SMTP_URL,
    from: env.MAIL_FROM,
    publicUrl: env.PUBLIC_URL,
    outbox: join(env.DATA_DIR, 'outbox'),
    log: logger,
  })
  const files = join(env.DATA_DIR, 'files')
  const app = await createApp({
    files,
    bucket: bucketIn(env),
    publicUrl: env.PUBLIC_URL,
    consoleOrigin: env.CONSOLE_ORIGIN,
    logger,
    console: join(import.meta.dirname, '../../console/dist'),
  })
  await app.listen({ host: env.HOST, port: env.PORT })
  say(`Mokuroku is ready on ${env.PUBLIC_URL}`)
  if (demo) say(`Sign in with ${demo.email} and the password ${demo.password}`)
  if (made) say(`The first administrator is ${made.email} with the password ${made.password} (shown only this once)`)

  const stopping = new AbortController()
  const background = Promise.all([
    search.resume(stopping.signal),
    purgeDaily({ signal: stopping.signal, failed: (err) => logger.error({ err }, 'the trash could not be emptied') }),
    removeOldDaily(stopping.signal, (err) => logger.error({ err }, 'old notifications could not be removed')),
    env.SAMPLE_CATALOGUE === 'on' ? loadSample({ say, signal: stopping.signal }) : undefined,
  ]).catch((error: unknown) => logger.error({ err: error }, 'background work failed'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stopping.abort()
      void app
        .close()
        .then(() => background)
        .then(closeDatabase)
        .then(releaseFolder)
        .then(() => process.exit(0))
    })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** What a person can do about a failed start, in one line. */
function sentenceOf(error: unknown): string {
  const { code, message, port } = error as { code?: string; message: string; port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Stop the other program, or set PORT to another one.`
  if (code === 'EACCES') return `Port ${port} may not be used by this account. Set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL') return 'This machine has no such address. Set HOST to one that it has.'
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return 'The database at DATABASE_URL cannot be reached. Is it running?'
  if (code === '28P01' || code === '28000') return 'The database at DATABASE_URL refuses this user or password.'
  if (code === '3D000') return 'The database named in DATABASE_URL does not exist. Create it first.'
  return message.split('\n')[0] ?? ''
}

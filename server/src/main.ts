import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { createApp } from './app.ts'
import { retryUntilDone } from '#lib/retry.ts'
import { abandonIfAway, closeDatabase, openDatabase, type Opening } from '#database/db.ts'
import { explainConnectError } from '#database/explain.ts'
import { untilReachable } from '#database/untilReachable.ts'
import { requireSharp } from './assets/installed.ts'
import { answersOnlyHere, memoryWarning, bucketIn, readEnv, readTelemetry } from './env.ts'
import { checkLater } from './findings/rebuild.ts'
import { machineFault } from './lib/faults.ts'
import { openLog } from './lib/log.ts'
import { freeMemoryLater } from './lib/memory.ts'
import { requireListenable } from './lib/requireListenable.ts'
import { trackState } from '#database/state.ts'
import { protectFolder, refuseUnrestored, unlockDataFolder, lockDataFolder } from '#database/folder.ts'
import { startListening } from '#database/announcements.ts'
import { joinInstances, leaveInstances, refuseUpgradeBeside } from '#database/instances.ts'
import { isLeaving, leave } from '#http/closing.ts'
import { openMail } from '#mail/send.ts'
import { freeClaims } from '#jobs/queue.ts'
import { requireArgon2 } from '#access/password.ts'
import { readSecret } from '#access/secret.ts'
import { setSigningKey } from '#access/session.ts'
import { loadSampleLater } from './sample/load.ts'
import { bringUpToDate } from './search/rebuild.ts'
import { repeatDailyWork } from './dailyWork.ts'
import { ownVersion } from './settings/about.ts'
import { settings } from './settings/store.ts'
import { acceptsDemoPassword, DEMO_SIGN_IN, refuseDemoPassword } from './users/demo.ts'
import { ensureFirstAdmin } from './users/bootstrap.ts'
import { weaknessOf } from './users/newPassword.ts'
import { users } from './users/store.ts'

/** How much of the log is buffered while it cannot be written, in characters. */
const MAX_LOG_BUFFER_CHARS = 1024 * 1024

/** How long a shutdown may take, in milliseconds; the next start continues what was running. */
const SHUTDOWN_TIMEOUT_MS = 20_000

type Env = ReturnType<typeof readEnv>
/** The sign-in of the demo; undefined if this is none. */
type Demo = typeof DEMO_SIGN_IN | undefined

const NOT_OUR_ADDRESS = 'HOST is not an address of this machine. Set HOST to one that is.'

// The log's destination may be full or gone: then only log lines are lost.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)

/** Shuts down what has been started; at first, there is nothing that a shutdown could leave half done. */
let end: () => Promise<void> = () => Promise.resolve()
/** How long requests are still answered after SIGTERM, in milliseconds. */
let shutdownDelayMs = 0
for (const name of ['SIGINT', 'SIGTERM'] as const)
  // After Ctrl-C there is no proxy to wait for.
  process.on(name, () => stop({ delayMs: name === 'SIGTERM' ? shutdownDelayMs : 0, code: 0 }))

function stop({ delayMs, code, why }: { delayMs: number; code: number; why?: string }): void {
  // A process manager may signal every process, and processes may signal each other: a second signal changes nothing.
  if (isLeaving()) return
  if (why) process.stderr.write(`Mokuroku stops. ${why}\n`)
  leave()
  setTimeout(() => process.exit(1), delayMs + SHUTDOWN_TIMEOUT_MS).unref()
  sleep(delayMs)
    .then(() => end())
    .then(
      () => process.exit(code),
      (error: unknown) => {
        process.stderr.write(`Mokuroku did not shut down cleanly. ${String(error)}\n`)
        process.exit(1)
      },
    )
}

try {
  await start()
} catch (error) {
  process.stderr.write(`Mokuroku cannot start. ${explainStartError(error)}\n`)
  await leaveInstances().catch(() => undefined)
  process.exit(1)
}

async function start(): Promise<void> {
  const [word] = process.argv.slice(2)
  if (word) throw new Error(`It takes no arguments: ${word}. It is configured by environment variables (README.md).`)
  const env = readEnv()
  const telemetry = readTelemetry()
  await requireSharp()
  await requireArgon2()
  protectFolder(env.DATA_DIR, print)
  lockDataFolder(env.DATA_DIR)
  refuseUnrestored(env.DATA_DIR)
  // Before anything is stored, above all the first administrator, whose password is printed only once.
  await requireListenable(env.HOST, env.PORT).catch(explainHost)
  // The listening connection counts towards DATABASE_POOL. If that is 2, both are needed for statements.
  const listens = env.DATABASE_URL !== undefined && env.DATABASE_POOL > 2
  trackState(env.ANSWER_CACHE_MB > 0)
  const opening = openingOf(env, env.DATABASE_POOL - (listens ? 1 : 0))
  await untilReachable(() => openDatabase(opening), { seconds: env.DATABASE_WAIT, log: print })
  const secret = readSecret(env.AUTH_SECRET, env.DATA_DIR)
  setSigningKey(secret)
  const setup = {
    version: await ownVersion(),
    secret,
    hasOwnSecret: env.AUTH_SECRET !== undefined,
    bucket: bucketIn(env),
    folder: env.DATA_DIR,
    readsReplicas: env.DATABASE_REPLICA_URL !== undefined,
  }
  await joinInstances(setup, { alone: freeClaims, unfit: (why) => stop({ delayMs: 0, code: 1, why }) })
  end = leaveInstances
  await settings.open(env)
  const demo = env.DEMO === 'on' ? DEMO_SIGN_IN : undefined
  await openAccounts(env, demo)
  const output = pino.destination({ dest: 1, sync: true, maxLength: MAX_LOG_BUFFER_CHARS })
  output.on('error', () => undefined)
  const logger = openLog(env.LOG_LEVEL, output)
  openMail({
    url: env.SMTP_URL,
    from: env.MAIL_FROM,
    publicUrl: env.PUBLIC_URL,
    outbox: join(env.DATA_DIR, 'outbox'),
    log: logger,
  })
  // Loaded on demand: without a collector, it is never needed.
  const closeTelemetry =
    telemetry &&
    (await import('./telemetry/open.ts')).openTelemetry({
      settings: telemetry,
      version: await ownVersion(),
      publicUrl: env.PUBLIC_URL,
      log: logger,
    })
  const files = join(env.DATA_DIR, 'files')
  const app = await createApp({
    files,
    answerCacheMb: env.ANSWER_CACHE_MB,
    bucket: bucketIn(env),
    publicUrl: env.PUBLIC_URL,
    allowedHosts: env.ALLOWED_HOSTS,
    trustedProxies: env.TRUSTED_PROXIES,
    accessLog: env.ACCESS_LOG === 'on',
    consoleOrigin: env.CONSOLE_ORIGIN,
    logger,
    console: join(import.meta.dirname, '../../console/dist'),
  })
  end = () => app.close().then(leaveInstances).then(closeDatabase)
  shutdownDelayMs = env.SHUTDOWN_DELAY * 1000
  await app.listen({ host: env.HOST, port: env.PORT }).catch(explainHost)
  await printReady(env, demo)

  const stopListening = listens && env.DATABASE_URL ? startListening(env.DATABASE_URL) : undefined
  const stopping = new AbortController()
  const background = queueBackgroundWork(env, logger, stopping.signal)
  void background.then(freeMemoryLater)
  end = async () => {
    stopping.abort()
    void abandonIfAway()
    await app.close()
    await background
    await closeTelemetry?.()
    await stopListening?.()
    await leaveInstances().catch(() => undefined)
    await closeDatabase()
    unlockDataFolder()
  }
}

/** Throws an error of listening. Elsewhere, an unknown name is that of the host of the database. */
function explainHost(error: unknown): never {
  throw (error as { syscall?: string }).syscall === 'getaddrinfo' ? new Error(NOT_OUR_ADDRESS) : error
}

function openingOf(env: Env, pool: number): Opening {
  return {
    url: env.DATABASE_URL,
    replicas: env.DATABASE_REPLICA_URL,
    maxLag: env.DATABASE_REPLICA_LAG,
    pool,
    prepares: env.DATABASE_PREPARE === 'on',
    folder: env.DATA_DIR,
    log: print,
    mayUpgrade: (pending) => refuseUpgradeBeside(pending, env.DATA_DIR),
  }
}

/** Creates the first administrator if there are no users, and prints what is wrong with accounts. */
async function openAccounts(env: Env, demo: Demo): Promise<void> {
  const isNew = await ensureFirstAdmin(demo?.email ?? env.ADMIN_EMAIL, demo?.password ?? env.ADMIN_PASSWORD, print)
  if (!demo) await refuseDemoPassword()
  const { ADMIN_EMAIL: email = '', ADMIN_PASSWORD: password } = env
  if (isNew && !demo && password !== undefined && (await weaknessOf(password, { username: 'admin', email })))
    print('ADMIN_PASSWORD is easy to guess. Please change the password once you have signed in.')
  const alike = await users.open()
  if (alike.length > 0)
    print(`Please rename these accounts: their names look like those of others. ${alike.join(', ')}`)
}

/** Prints the address, and what an operator should know before users come. */
async function printReady(env: Env, demo: Demo): Promise<void> {
  print(`Mokuroku is ready on ${env.PUBLIC_URL}`)
  const warning = memoryWarning(process.constrainedMemory())
  if (warning) print(warning)
  if (answersOnlyHere(env))
    print(
      'Only requests to localhost are accepted. For other host names, set PUBLIC_URL to the address that browsers use, or ALLOWED_HOSTS.',
    )
  if (demo && (await acceptsDemoPassword())) print(`Sign in with ${demo.email} and the password ${demo.password}`)
}

/** Queues what a start has to bring up to date, and the daily work. */
function queueBackgroundWork(env: Env, logger: Logger, signal: AbortSignal): Promise<unknown> {
  const taskOptions = (what: string) => ({ signal, failed: (err: unknown) => logger.error({ err }, `${what} failed`) })
  return Promise.all([
    retryUntilDone(bringUpToDate, taskOptions('bringing the search index up to date')),
    retryUntilDone(checkLater, taskOptions('checking the catalogue')),
    retryUntilDone(repeatDailyWork, taskOptions('scheduling the daily work')),
    env.SAMPLE_CATALOGUE === 'on' && retryUntilDone(loadSampleLater, taskOptions('queueing the sample catalogue')),
  ])
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** What a person can do about a failed start, in one line. */
function explainStartError(error: unknown): string {
  const { code, message, port } = error as { code?: string; message: string; port?: number }
  if (code === 'EADDRINUSE')
    return `Port ${port} is already in use. Stop the other program, or set PORT to another one.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be used by this account. Set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL') return NOT_OUR_ADDRESS
  return explainConnectError(error) ?? machineFault(error)?.message ?? message.split('\n')[0] ?? ''
}

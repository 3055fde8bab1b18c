import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Call, createClient } from '@mokuroku/contract/call'
import type { Role } from '@mokuroku/contract/users'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { createApp } from '../src/app.ts'
import type { Bucket } from '../src/assets/fileStore.ts'
import { closeDatabase, db, openDatabase } from '#database/db.ts'
import { setDeltasSupported } from '#database/formats.ts'
import { backgroundDone } from '#lib/background.ts'
import { momentIn, resetClock, setClock, time } from '#lib/clock.ts'
import { actorOf, setSigningKey, startSession } from '#access/session.ts'
import { openMail } from '#mail/send.ts'
import { settings } from '#store/settings'
import { ensureFirstAdmin } from '../src/users/bootstrap.ts'
import { aUser } from './factories.ts'
import { createMigrated, postgres } from './postgres.ts'

/** The server under test, in process. Each test file has its own database, on the engine set by ENGINE. */
export let app: FastifyInstance

export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' }

/**
 * By how much the time of the server differs from the clock of this machine, behind on one engine and ahead on the other:
 * a test that takes the one for the other fails each time, and not only when the server has set its clock.
 */
const CLOCK_SKEW_MS = postgres ? -2000 : 2000

/** Sets the clock of the server right again, but for the skew. */
export function skewClock(): void {
  resetClock()
  setClock(time() + CLOCK_SKEW_MS, 0)
}

/** Sets the clock of the server ahead until the end of the test. */
export function advanceClock(ms: number): void {
  onTestFinished(skewClock)
  setClock(time() + ms, 0)
}

let folder: string
let bucket: Bucket | undefined
/** Makes the server of a test file store its assets in a bucket. */
export const keepIn = (chosen: Bucket): void => void (bucket = chosen)

/** Opens a new database and the server before the tests of a file or group, and removes both afterwards. */
export function withApp(): void {
  beforeAll(openApp)
  // Finish what one test leaves to do after its responses before the next test begins.
  beforeEach(idle)
  afterAll(closeApp)
}

/** Goes on with a new database, for a test of all that it has. For files that prepare nothing for several tests. */
export async function startEmpty(): Promise<void> {
  await closeApp()
  await openApp()
}

async function openApp(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'mokuroku-test-'))
  await openDatabase({ url: await ownDatabase(), folder })
  skewClock()
  // Like a server that has found no older one on the same database.
  setDeltasSupported(true)
  setSigningKey(new TextEncoder().encode('a secret that only the tests know, 32 bytes'))
  openMail({ from: 'mokuroku@example.org', publicUrl: 'http://127.0.0.1:3000', outbox: join(folder, 'outbox') })
  await settings.open({})
  await ensureFirstAdmin(ADMIN.email, ADMIN.password)
  app = await createApp({ files: join(folder, 'files'), bucket, publicUrl: 'http://127.0.0.1:3000' })
}

async function closeApp(): Promise<void> {
  await app.close()
  await closeDatabase()
  await rm(folder, { recursive: true, force: true })
}

/** Waits until there is no work left to do after responses, and no job is due or running. */
export async function idle(): Promise<void> {
  await backgroundDone()
  await expect
    .poll(() =>
      db
        .selectFrom('jobs')
        .select(['kind', 'state', 'error'])
        .where((row) =>
          row.or([
            // A job that is retried immediately may become due a moment after this query.
            row.and([row('state', '=', 'queued'), row('dueAt', '<=', momentIn(100))]),
            row.and([row('state', '=', 'running'), row('claim', 'is not', null)]),
          ]),
        )
        .execute(),
    )
    .toEqual([])
}

/** A job of the queue; undefined once it is deleted. */
export const jobOf = (id: string) => db.selectFrom('jobs').selectAll().where('_id', '=', id).executeTakeFirst()

/** An in-process client, with or without a token, at an IP address. */
export const callAs = (token?: string, remoteAddress = '127.0.0.1'): Call =>
  createClient(async ({ method, url, headers, body }) => {
    const answer = await app.inject({
      method,
      url,
      remoteAddress,
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { payload: body }),
    })
    return { status: answer.statusCode, body: answer.body ? answer.json() : undefined }
  })

/** A client of a new user with this role, scores and tier; by default an administrator. */
export async function signedIn(more: { role?: Role; scores?: number; username?: string } = {}) {
  const user = await aUser({ role: 'admin', scores: 0, ...more })
  const token = await startSession(user, { address: '127.0.0.1', userAgent: 'test' })
  return { call: callAs(token), token, user, actor: await actorOf(user) }
}

/** The URL of a PostgreSQL database for one test file; undefined for SQLite. */
async function ownDatabase(): Promise<string | undefined> {
  return postgres && createMigrated(postgres)
}

/** A client of a user who signed in so long ago that sensitive changes require the password again. */
export async function signedInLongAgo(): Promise<ReturnType<typeof callAs>> {
  const { user } = await signedIn()
  const token = await startSession(user, { address: '127.0.0.1', userAgent: 'test' })
  const sessions = db.updateTable('sessions').where('userId', '=', user._id)
  await sessions.set({ createdAt: '2020-01-01T00:00:00.000Z' }).execute()
  return callAs(token)
}

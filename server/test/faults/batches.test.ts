import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { aBucket } from '../bucket.ts'
import { aSite, type Site } from '../crash.ts'
import { aMedia } from '../factories.ts'
import { inside } from '../operator.ts'
import { postgres } from '../postgres.ts'
import { type Running, startServer } from '../process.ts'
import { ask, signIn } from './site.ts'

const ROWS = 100
/** The row at which the first server is held up, and how many are written by then: those of earlier transactions. */
const [HELD, WRITTEN] = [50, 40]

/** The state of a batch in the database. */
const doneIn = async (read: (query: string) => Promise<Record<string, unknown>[]>, batch: string) =>
  (await read(`SELECT "state", "done", "claim" FROM "jobs" WHERE "_id" = '${batch}'`))[0]

/** Lets nobody change a media item until it is released, so that a server that tries waits. */
async function held(site: Site, id: string): Promise<() => Promise<unknown>> {
  if (site.env.DATABASE_URL) {
    const client = new pg.Client({ connectionString: site.env.DATABASE_URL })
    await client.connect()
    await client.query('BEGIN')
    await client.query(`SELECT FROM "media" WHERE "_id" = '${id}' FOR UPDATE`)
    return () => client.end()
  }
  // SQLite has no locks of rows: the change takes forever instead.
  const endless = 'WITH RECURSIVE "n"("n") AS (SELECT 1 UNION ALL SELECT 1 FROM "n") SELECT count(*) FROM "n"'
  await site.write(`CREATE TRIGGER "endless" BEFORE UPDATE ON "media" WHEN old."_id" = '${id}' BEGIN
    SELECT (${endless}); END`)
  return () => site.write('DROP TRIGGER "endless"')
}

test('another server finishes a batch whose server is killed, and writes every row exactly once', async () => {
  const site = await aSite(postgres)
  const root = mkdtempSync(join(tmpdir(), 'mokuroku-batch-'))
  const AUTH_SECRET = 'the secret that both of them share, 32'
  const bucket = postgres ? await aBucket() : undefined
  const env = { ...site.env, AUTH_SECRET, ...bucket?.env }
  const ids: string[] = []
  await inside({ url: site.env.DATABASE_URL, folder: site.env.DATA_DIR ?? '' }, async () => {
    for (let each = 0; each < ROWS; each += 1) ids.push((await aMedia())._id)
  })
  const release = await held(site, ids[HELD] ?? '')
  const first = await startServer(env)
  const other = { ...env, ...(postgres && { DATA_DIR: join(root, 'two') }) }
  let second: Running | undefined
  try {
    const token = await signIn(first)
    const { body } = await ask(first, token, 'POST', '/api/media/bulk', { ids, change: { isOngoing: true } })
    const { batch } = body as unknown as { batch: string }
    await expect.poll(() => doneIn(site.read, batch)).toMatchObject({ state: 'running', done: WRITTEN })
    // On PostgreSQL the second server is already running then, but has not taken the batch; on SQLite the next start opens
    // the database.
    if (postgres) second = await startServer(other)
    await first.end('SIGKILL')
    await release()
    expect(await doneIn(site.read, batch)).toMatchObject({ state: 'running', done: WRITTEN })
    second ??= await startServer(other)
    // Simulates the expiry of its lease, without waiting for it.
    await site.write(
      `UPDATE "jobs" SET "leaseUntil" = '2000-01-01T00:00:00.000Z' WHERE "_id" = '${batch}' AND "state" = 'running'`,
    )
    await expect.poll(() => doneIn(site.read, batch)).toEqual({ state: 'done', done: ROWS, claim: null })
    const written = await site.read(`SELECT "entityId" FROM "revisions" WHERE "batch" = '${batch}'`)
    expect(written.map(({ entityId }) => String(entityId)).toSorted()).toEqual(ids.toSorted())
    const media = await site.read(`SELECT "version" FROM "media" WHERE "isOngoing" = 1`)
    expect(media.map(({ version }) => version)).toEqual(ids.map(() => 2))
    const [counted] = await site.read(
      `SELECT "changed", "unchanged", "refused" FROM "batches" WHERE "_id" = '${batch}'`,
    )
    expect(counted).toEqual({ changed: ROWS, unchanged: 0, refused: 0 })
    const notified = await site.read(`SELECT "kind" FROM "notifications" WHERE "kind" = 'BATCH_FINISHED'`)
    expect(notified).toHaveLength(1)
  } finally {
    await second?.end()
    await bucket?.stop()
    await site.remove()
    rmSync(root, { recursive: true, force: true })
  }
})

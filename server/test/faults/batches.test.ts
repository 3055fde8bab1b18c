import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aBucket } from '../bucket.ts'
import { aSite } from '../crash.ts'
import { mediaInput } from '../factories.ts'
import { postgres } from '../postgres.ts'
import { startServer } from '../process.ts'
import { ask, signIn } from './site.ts'

const ROWS = 600

/** The state of a batch in the database. */
const doneIn = async (read: (query: string) => Promise<Record<string, unknown>[]>, batch: string) =>
  (await read(`SELECT "state", "done", "claim" FROM "jobs" WHERE "_id" = '${batch}'`))[0]

test('another server finishes a batch whose server is killed, and writes every row exactly once', async () => {
  const site = await aSite(postgres)
  const root = mkdtempSync(join(tmpdir(), 'mokuroku-batch-'))
  const AUTH_SECRET = 'the secret that both of them share, 32'
  const bucket = postgres ? await aBucket() : undefined
  const env = { ...site.env, AUTH_SECRET, ...bucket?.env }
  const first = await startServer(env)
  // On PostgreSQL a second server is already running; on SQLite the next start opens the database.
  const other = { ...env, ...(postgres && { DATA_DIR: join(root, 'two') }) }
  let second = postgres ? await startServer(other) : undefined
  try {
    const token = await signIn(first)
    const ids: string[] = []
    for (let each = 0; each < ROWS; each += 20)
      ids.push(
        ...(await Promise.all(
          Array.from(
            { length: 20 },
            async () => (await ask(first, token, 'POST', '/api/media', mediaInput())).body._id,
          ),
        )),
      )
    const { body } = await ask(first, token, 'POST', '/api/media/bulk', { ids, change: { isOngoing: true } })
    const { batch } = body as unknown as { batch: string }
    await expect.poll(async () => Number((await doneIn(site.read, batch))?.done), { interval: 2 }).toBeGreaterThan(0)
    await first.end('SIGKILL')
    expect(await doneIn(site.read, batch)).toMatchObject({ state: expect.stringMatching(/running|queued/) as string })
    second ??= await startServer(other)
    // Simulates the expiry of its lease, without waiting for it.
    await site.write(
      `UPDATE "jobs" SET "leaseUntil" = '2000-01-01T00:00:00.000Z' WHERE "_id" = '${batch}' AND "state" = 'running'`,
    )
    await expect
      .poll(() => doneIn(site.read, batch), { timeout: 40_000 })
      .toEqual({ state: 'done', done: ROWS, claim: null })
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

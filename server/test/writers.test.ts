// Writers of different entities do not wait for each other, however long a commit takes.
import { charactersApi } from '@mokuroku/contract/characters'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { db, retries, transaction } from '#database/db.ts'
import { foldShards, setCounter } from '#ledger/counters.ts'
import { signedIn, withApp } from '#test/app.ts'
import { COUNTERS } from '#test/counters.ts'
import { aCharacter, aMedia, aUser, mediaInput, titled } from '#test/factories.ts'
import { untilWaiting } from '#test/waiting.ts'

withApp()

type Count = { name: string; value: number }
const HELD = 'Held'

/**
 * Makes every transaction that gives a media item the title HELD wait at its commit, with all its locks, until
 * `release`.
 */
async function holdCommits(): Promise<{ release: () => Promise<void>; isHeld: () => Promise<boolean> }> {
  await sql`CREATE FUNCTION "hold"() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NULL; END $$`.execute(db)
  await sql`CREATE CONSTRAINT TRIGGER "holding" AFTER UPDATE ON "media" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
    WHEN (NEW."translations" LIKE ${sql.lit(`%"${HELD}"%`)}) EXECUTE FUNCTION "hold"()`.execute(db)
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const [holding, began] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  void db
    .transaction()
    .execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(4711)`.execute(tx)
      began.resolve()
      await released
    })
    .then(holding.resolve)
  await began.promise
  const isHeld = async () => {
    const { rows } = await sql`SELECT 1 FROM "pg_locks" WHERE "locktype" = 'advisory' AND "objid" = 4711
      AND NOT "granted" AND "database" = (SELECT "oid" FROM "pg_database" WHERE "datname" = current_database())`.execute(
      db,
    )
    return rows.length > 0
  }
  return { release: async () => (release(), holding.promise), isHeld }
}

test.runIf(process.env.ENGINE === 'postgres')(
  'writes do not wait for another write that hangs at its commit, even if both change the same counters',
  async () => {
    const { call } = await signedIn()
    const [held, duplicate, third, ...others] = await Promise.all([
      ...['Alpha', 'Alpha', 'Alpha'].map(async (originalTitle) => (await aMedia({ originalTitle }))._id),
      ...['Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta', 'Eta'].map(
        async (title) => (await aMedia({ translations: titled(title) }))._id,
      ),
    ])
    const character = await aCharacter()
    await call(mediaApi.update, { id: others[5] ?? '', body: mediaInput({ translations: titled('Theta') }) })
    const entries = db
      .selectFrom('history')
      .select('_id')
      .where('entityId', '=', others[5] ?? '')
    const { _id: entry } = await entries.executeTakeFirstOrThrow()
    const { release, isHeld } = await holdCommits()
    onTestFinished(release)
    const save = (id = '', title: string, originalTitle?: string) =>
      call(mediaApi.update, { id, body: mediaInput({ translations: titled(title), originalTitle }) })
    const saved = save(held, HELD, 'Alpha')
    await expect.poll(isHeld).toBe(true)
    const writes = {
      'a text': () => save(others[0], 'Kappa'),
      'another text': () => save(others[1], 'Lambda'),
      'a text of a likely duplicate': () => save(duplicate, 'Mu', 'Alpha'),
      'a text of another one': () => save(third, 'Nu', 'Alpha'),
      'a new media item': () => call(mediaApi.create, { body: mediaInput({ translations: titled('Omikron') }) }),
      'a deletion': () => call(mediaApi.remove, { id: others[2] ?? '' }),
      'a rating': () => call(ratingsApi.create, { body: { mediaId: others[3] ?? '', score: 7 } }),
      'a name': () =>
        call(charactersApi.update, { id: character, body: { translations: { en: { name: 'Rho', description: '' } } } }),
      'a rollback': () => call(historyApi.rollback, { id: entry, body: { reason: 'wrong' } }),
      'a user': () => aUser(),
    }
    const done: string[] = []
    const all = Object.entries(writes).map(async ([name, write]) => {
      await write()
      done.push(name)
    })
    // Two connections of the same shard (a chance of one in 64) wait for each other.
    await expect.poll(() => done.length).toBeGreaterThanOrEqual(all.length - 1)
    await release()
    await Promise.all([saved, ...all])
  },
)

test('folding the counter shards changes no count, even during concurrent writes', async () => {
  const { call } = await signedIn()
  const all = async () => new Map((await sql.raw<Count>(COUNTERS).execute(db)).rows.map((row) => [row.name, row.value]))
  const create = () => call(mediaApi.create, { body: mediaInput() })
  await Promise.all([create(), create(), create()])
  const before = await all()
  await foldShards()
  expect(await all()).toEqual(before)
  expect(await db.selectFrom('counterShards').selectAll().execute()).toEqual([])
  await Promise.all([create(), foldShards(), create(), foldShards(), create()])
  expect((await all()).get('mediaCount')).toBe((before.get('mediaCount') ?? 0) + 3)
})

test('folding the counter shards waits for a counter that is being set, without a deadlock', async () => {
  const before = retries['40P01']
  let folded: Promise<void> | undefined
  await transaction(async (tx) => {
    // As `setCounter` begins.
    await tx.deleteFrom('counterShards').where('name', '=', 'sample').execute()
    folded = foldShards()
    await untilWaiting(1)
    await setCounter(tx, 'sample', 1)
  })
  await folded
  expect(retries['40P01']).toBe(before)
})

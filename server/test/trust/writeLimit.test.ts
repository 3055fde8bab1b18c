// How much one user may write, since unlimited writes would fill the disk.
import { batchesApi } from '@mokuroku/contract/batches'
import { mediaApi } from '@mokuroku/contract/media'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { hashPassword } from '#access/password.ts'
import type { Actor } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { countWrite, MAX_UNITS_PER_DAY, saveWriteCounts } from '#ledger/writeLimit.ts'
import { now } from '#lib/clock.ts'
import { withReferences } from '#test/ai.ts'
import { idle, signedIn, withApp } from '#test/app.ts'
import { withCatalogues } from '#test/catalogues.ts'
import { nameOf, routes } from '#test/contract.ts'
import { withinOneDay } from '#test/days.ts'
import { aMedia, aTier, mediaInput } from '#test/factories.ts'
import { CALLS, PASSWORD } from './calls.ts'
import { everybody } from './people.ts'
import { ask } from './rawClient.ts'
import { RULES } from './rules.ts'

withApp()
withReferences()
await withCatalogues()
beforeEach(withinOneDay)

const today = () => now().slice(0, 10)
let tiers = 0

/** A user who may edit, and has already written this much today. */
async function writer(units: number, role: 'user' | 'moderator' = 'user') {
  const scores = 3_000_000 + ++tiers
  await aTier(scores, { canEditAnyContent: true })
  const who = await signedIn({ role, scores })
  await db.insertInto('writeCounts').values({ userId: who.user._id, day: today(), units }).execute()
  const { _id: entry } = await aMedia()
  const write = (description: string, id = entry) =>
    who.call(mediaApi.update, { id, body: mediaInput({ translations: { en: { title: 'Written', description } } }) })
  return { ...who, write }
}

const unitsOf = async ({ user }: { user: { _id: string } }): Promise<number> => {
  await saveWriteCounts()
  const row = db.selectFrom('writeCounts').select('units').where('userId', '=', user._id).where('day', '=', today())
  return (await row.executeTakeFirstOrThrow()).units
}

describe('class 16: the daily write limit of a user', () => {
  test.each(['the same entry', 'different entries'])('class 23: holds for concurrent saves of %s', async (of) => {
    const who = await writer(MAX_UNITS_PER_DAY - 3)
    const entries = await Promise.all(
      Array.from({ length: 10 }, async () => (of === 'the same entry' ? undefined : (await aMedia())._id)),
    )
    const saves = await Promise.allSettled(entries.map((id, at) => who.write(`Version ${at}`, id)))
    expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    for (const save of saves)
      if (save.status === 'rejected')
        expect(save.reason).toMatchObject({
          status: 429,
          code: 'writeLimit',
          message: 'You have reached your daily limit for changes. It resets at midnight UTC.',
        })
    expect(await unitsOf(who)).toBe(MAX_UNITS_PER_DAY)
    await expect(who.write('One more')).rejects.toMatchObject({ status: 429 })
  })

  test('is stored, and includes writes counted by other servers', async () => {
    const who = await writer(7)
    await who.write('Small')
    expect(await unitsOf(who)).toBe(8)
    // Simulates writes counted by another process.
    await db.updateTable('writeCounts').set({ units: MAX_UNITS_PER_DAY }).where('userId', '=', who.user._id).execute()
    await who.write('Known only here')
    expect(await unitsOf(who)).toBe(MAX_UNITS_PER_DAY + 1)
    await expect(who.write('Known by both')).rejects.toMatchObject({ status: 429 })
  })

  test('applies to background batches of users, but not of moderators', async () => {
    for (const [role, refused] of [
      ['moderator', 0],
      ['user', 1],
    ] as const) {
      // The batch itself counts, too.
      const who = await writer(MAX_UNITS_PER_DAY - 1, role)
      const { _id: id } = await aMedia({ isOngoing: false })
      const { batch } = (await who.call(mediaApi.bulk, { body: { ids: [id], change: { isOngoing: true } } })) as {
        batch: string
      }
      await idle()
      expect(await who.call(batchesApi.find, { id: batch })).toMatchObject({ changed: 1 - refused, refused })
    }
  })

  test('counts nothing of a transaction that is rolled back, and all writes of one that is not', async () => {
    const who = await writer(MAX_UNITS_PER_DAY - 2)
    const actor = { ...who.user, background: true } as unknown as Actor
    const twice = (more: number) =>
      transaction(async (tx) => {
        for (let at = 0; at < 2 + more; at += 1) await countWrite(tx, actor, { text: 'Small' })
        throw new Error('rolled back')
      })
    await expect(twice(1)).rejects.toMatchObject({ status: 429 })
    for (let at = 0; at < 3; at += 1) await expect(twice(0)).rejects.toThrow('rolled back')
    expect(await unitsOf(who)).toBe(MAX_UNITS_PER_DAY - 2)
    await who.write('Small')
    expect(await unitsOf(who)).toBe(MAX_UNITS_PER_DAY - 1)
  })

  test('counts a large text as several units', async () => {
    const who = await writer(0)
    await who.write('x'.repeat(40_000))
    expect(await unitsOf(who)).toBe(3)
  })

  test('counts the results that a batch stores, also for entities that it leaves unchanged', async () => {
    const who = await writer(0)
    const ids = await Promise.all(Array.from({ length: 100 }, async () => (await aMedia({ isOngoing: false }))._id))
    await who.call(mediaApi.bulk, { body: { ids, change: { isOngoing: false } } })
    await idle()
    expect(await unitsOf(who)).toBe(2)
  })

  test('does not apply to moderators', async () => {
    const who = await writer(MAX_UNITS_PER_DAY, 'moderator')
    await who.write('The daily work of many')
    expect(await unitsOf(who)).toBe(MAX_UNITS_PER_DAY)
  })

  test('holds for every call that leaves rows behind, also for those that write no revision', async () => {
    const { owner } = await everybody()
    const { _id: userId } = owner.user
    await db
      .updateTable('users')
      .set({ passwordHash: await hashPassword(PASSWORD) })
      .where('_id', '=', userId)
      .execute()
    await db.insertInto('writeCounts').values({ userId, day: today(), units: MAX_UNITS_PER_DAY }).execute()
    const leaving: string[] = []
    for (const [name, route] of routes) {
      if (!RULES[name]?.may.includes('owner')) continue
      const call = (await CALLS[nameOf(route)]?.(owner, owner)) ?? {}
      await idle()
      const before = await rowsLeft()
      await ask(route, call, { ...owner, token: call.token ?? owner.token })
      await idle()
      const after = await rowsLeft()
      if (after.some((rows, at) => rows > (before[at] ?? 0))) leaving.push(name)
    }
    expect(leaving.toSorted()).toEqual(LIMITED_OTHERWISE.toSorted())
  })
})

/**
 * Calls that leave rows behind even at the limit, since something else limits them: the hashing of a password, the
 * number of sessions, links and open batches, and of comments and views to delete.
 */
const LIMITED_OTHERWISE = [
  'DELETE /api/comments/:id',
  'DELETE /api/views/:id',
  'DELETE /api/auth/sessions/:id',
  'POST /api/auth/confirm',
  'POST /api/auth/forgot-password',
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/auth/reset-password',
  'POST /api/batches/:id/cancel',
]

/** How many rows calls leave behind for good, or for weeks, by table. The audit log coalesces repeated refusals. */
async function rowsLeft(): Promise<number[]> {
  const counts = ['aiRuns', 'batches', 'comments', 'dismissals', 'imports', 'jobs', 'revisions', 'views'].map(
    (table) => sql<{ rows: number }>`SELECT COUNT(*) AS "rows" FROM ${sql.table(table)}`,
  )
  const entries = sql<{ rows: number }>`SELECT COUNT(*) AS "rows" FROM "audit" WHERE "outcome" <> 'refused'`
  const found = await Promise.all([...counts, entries].map((count) => count.execute(db)))
  return found.map(({ rows }) => Number(rows[0]?.rows))
}

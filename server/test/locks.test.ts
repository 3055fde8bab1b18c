import { randomInt } from 'node:crypto'
import { assetsApi } from '@mokuroku/contract/assets'
import { charactersApi } from '@mokuroku/contract/characters'
import { findingsApi } from '@mokuroku/contract/findings'
import { historyApi } from '@mokuroku/contract/history'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { newTag, tagsApi } from '@mokuroku/contract/tags'
import type { ApiError } from '@mokuroku/contract/call'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { momentIn, now } from '#lib/clock.ts'
import { SYSTEM } from '#access/permissions.ts'
import { db, engine, retries, transaction } from '#database/db.ts'
import { lockRows } from '#database/locks.ts'
import { relations } from '../src/admin/checks/relations.ts'
import { averages, tagUses } from '../src/admin/checks/aggregates.ts'
import { counters } from '../src/admin/checks/counters.ts'
import { found } from '../src/admin/checks/findings.ts'
import { media } from '#store/media'
import { notifications } from '#store/notifications'
import { signedIn, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, aUser, mediaInput } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'

withApp()

const ROUNDS = 6
/** Statuses for an entity that is in the trash at the moment, was changed meanwhile, or is rolled back already. */
const REFUSED = [400, 404, 409, 412]

/** Runs all work concurrently, each repeatedly; returns the errors with unexpected statuses. */
async function atOnce(work: ((round: number) => Promise<unknown>)[], expected: number[] = []): Promise<ApiError[]> {
  const failed: ApiError[] = []
  const repeat = async (one: (round: number) => Promise<unknown>) => {
    for (let round = 0; round < ROUNDS; round += 1)
      await one(round).catch((error: ApiError) => {
        if (!expected.includes(error.status)) failed.push(error)
      })
  }
  await Promise.all(work.map(repeat))
  return failed
}

/** The number of deadlocks in PostgreSQL's statistics; 0 on SQLite. */
async function deadlocksCounted(): Promise<number> {
  if (engine !== 'postgres') return 0
  const { deadlocks } = await db
    .selectFrom('pg_stat_database' as never)
    .select('deadlocks' as never)
    .where('datname' as never, '=', db.fn('current_database', []) as never)
    .executeTakeFirstOrThrow()
  return Number(deadlocks)
}

const some = <Item>(items: Item[], round: number): Item[] => items.filter((_, at) => (at + round) % 2 === 0)

test.runIf(process.env.ENGINE === 'postgres')(
  'a clean-up leaves a file that an entry begins to use meanwhile',
  async () => {
    const { call, token } = await signedIn()
    const id = (await send(await aPicture(), 'taken.png', { token })).body._id
    const { _id } = await aMedia()
    let cleanUp: Promise<unknown> | undefined
    await transaction(async (tx) => {
      // The clean-up waits here before its end.
      await sql`LOCK TABLE "activities" IN SHARE MODE`.execute(tx)
      cleanUp ??= call(assetsApi.trashUnused, { body: { until: now() } })
      const waiting = sql`SELECT 1 FROM pg_locks WHERE relation = 'activities'::regclass AND NOT granted`
      await expect.poll(async () => (await waiting.execute(db)).rows).toHaveLength(1)
      await media.update(_id, { cover: id }, { actor: SYSTEM, quiet: true })
    })
    await cleanUp
    expect(await call(assetsApi.find, { id })).toMatchObject({ status: 'READY' })
  },
)

test('concurrent edits of both sides of a relation do not deadlock', async () => {
  const { call } = await signedIn()
  const cast = await Promise.all([1, 2, 3, 4].map(() => aCharacter()))
  const works = await Promise.all([1, 2, 3, 4].map(async () => (await aMedia())._id))
  const before = retries['40P01']
  const saveWork = (id: string, shift: number) => (round: number) =>
    call(mediaApi.update, { id, body: mediaInput({ characters: some(cast, round + shift) }) })
  const saveCharacter = (id: string, shift: number) => (round: number) =>
    call(charactersApi.update, {
      id,
      body: { translations: { en: { name: id, description: '' } }, mediaRefs: some(works, round + shift) },
    })
  const failed = await atOnce([...works.map(saveWork), ...cast.map(saveCharacter)])
  expect(failed).toEqual([])
  expect(retries['40P01'] - before).toBe(0)
  expect(await deadlocksCounted()).toBe(0)
  for (const id of works) {
    const { characters } = await call(mediaApi.find, { id })
    for (const character of cast) {
      const { mediaRefs } = await call(charactersApi.find, { id: character })
      expect(mediaRefs.includes(id)).toBe(characters.includes(character))
    }
  }
})

test('concurrent writes of all kinds do not deadlock, and keep every counter exact', async () => {
  const { call } = await signedIn()
  const people = await Promise.all([1, 2, 3].map(() => signedIn()))
  const labels = await Promise.all([1, 2, 3, 4].map(() => aTag()))
  const cast = await Promise.all([1, 2].map(() => aCharacter()))
  const works = await Promise.all([1, 2, 3].map(async () => (await aMedia())._id))
  const [work = '', second = ''] = works
  const before = retries['40P01']
  const retitle = (title: string) => ({ en: { title, description: '' } })
  const failed = await atOnce(
    [
      ...works.map(
        (id, shift) => (round: number) =>
          call(mediaApi.update, {
            id,
            body: mediaInput({ tags: some(labels.toReversed(), round + shift), characters: some(cast, round) }),
          }),
      ),
      ...cast.map(
        (id, shift) => (round: number) =>
          call(charactersApi.update, {
            id,
            body: { translations: {}, tags: some(labels, round + shift), mediaRefs: some(works.toReversed(), round) },
          }),
      ),
      ...people.map((person, at) => async (round: number) => {
        const mediaId = works[(at + round) % works.length] ?? ''
        const rating = await person.call(ratingsApi.create, { body: { mediaId, score: (round % 10) + 0.5 } })
        await person.call(ratingsApi.remove, { id: rating._id })
      }),
      // Texts that two users write, and roll back from each other.
      ...people.map((person) => async (round: number) => {
        await person.call(mediaApi.update, { id: work, body: mediaInput({ translations: retitle(`Round ${round}`) }) })
        const { data } = await person.call(historyApi.recent, { query: { limit: 3 } })
        for (const { _id } of data) await person.call(historyApi.rollback, { id: _id, body: { reason: 'No' } })
      }),
      async (round) => {
        const from = momentIn(-500)
        const by = { username: people[round % 3]?.user.username ?? '', from, to: now() }
        await call(historyApi.rollbackAll, { body: { reason: 'All', by } })
      },
      async (round) => {
        const [id = '', next = ''] = some(labels, round)
        await call(tagsApi.replace, { id, body: { with: next } })
      },
      async () => {
        await call(mediaApi.remove, { id: second })
        await call(mediaApi.restore, { id: second })
      },
    ],
    REFUSED,
  )
  expect(failed).toEqual([])
  expect(retries['40P01'] - before).toBe(0)
  expect(await deadlocksCounted()).toBe(0)
  for (const check of [relations, tagUses, averages, counters])
    for await (const { what } of check.run()) expect(what).toBe('')
})

test('keeps findings exact when duplicates are written and their covers trashed concurrently', async () => {
  const editor = await signedIn()
  const { call } = editor
  const titles = ['Emma', 'Kokoro', 'Botchan'].map((title) => ({ title, description: '' }))
  const [cover, other] = await Promise.all(
    [1, 2].map(async (at) => (await send(await aPicture(8 + at), `${at}.png`, editor)).body._id),
  )
  const works = await Promise.all(titles.map(async () => (await aMedia())._id))
  const before = retries['40P01']
  const failed = await atOnce(
    [
      ...works.map((id, shift) => (round: number) => {
        const [one, two] = some([...titles, ...titles], round + shift)
        const translations = { ...(one && { en: one }), ...(two && { ja: two }) }
        return call(mediaApi.update, {
          id,
          body: mediaInput({ translations, cover: (round % 2 ? cover : other) ?? '' }),
        })
      }),
      ...titles.map((en) => async () => {
        const { _id: id } = await call(mediaApi.create, { body: mediaInput({ translations: { en } }) })
        await call(mediaApi.remove, { id })
      }),
      ...[cover, other].map((id = '') => async () => {
        await call(assetsApi.remove, { id })
        await call(assetsApi.restore, { id })
      }),
    ],
    REFUSED,
  )
  expect(failed).toEqual([])
  expect(retries['40P01'] - before).toBe(0)
  for (const check of [found, counters]) for await (const { what } of check.run()) expect(what).toBe('')
})

test('keeps findings exact under random concurrent edits, deletions and dismissals', async () => {
  const editor = await signedIn()
  const { call } = editor
  const ids = (all: { _id: string }[]) => all.map(({ _id }) => _id)
  const covers = await Promise.all(
    [1, 2, 3].map(async (at) => (await send(await aPicture(20 + at), `${at}.png`, editor)).body._id),
  )
  const draw = <Item>(items: Item[]): Item => items[randomInt(items.length)] as Item
  const title = () => ({ title: `of ${randomInt(25)}`, description: '' })
  const input = () =>
    mediaInput({
      translations: { en: title(), ...(randomInt(3) && { ja: title() }), ...(randomInt(2) && { zh: title() }) },
      cover: randomInt(2) ? draw(covers) : '',
      assets: randomInt(2) ? [draw(covers)] : [],
      releaseDate: draw(['2020-01-01', '2020-01-02', '2020-01-05'].map((day) => `${day}T00:00:00.000Z`)),
    })
  const works = ids(await Promise.all(covers.flatMap(() => [aMedia(input()), aMedia(input()), aMedia(input())])))
  const finding = () => ({ entityId: draw(works), code: draw(['duplicate', 'brokenLink'] as const) })
  const writes = [
    () => call(mediaApi.remove, { id: draw(works) }),
    () => call(mediaApi.restore, { id: draw(works) }),
    () => call(assetsApi.remove, { id: draw(covers) }),
    () => call(assetsApi.restore, { id: draw(covers) }),
    () => call(findingsApi.dismiss, { body: finding() }),
    () => call(findingsApi.undismiss, { query: finding() }),
  ]
  const save = () => call(mediaApi.update, { id: draw(works), body: input() })
  // Keeps the other titles, so that an entry stays a likely duplicate of those that share them.
  const retitle = async () => {
    const { _id: id, translations, cover, assets, releaseDate } = await call(mediaApi.find, { id: draw(works) })
    const kept = { cover: cover === '' ? '' : cover._id, assets, releaseDate }
    const changed = { ...translations, [draw(['en', 'ja'])]: title() }
    await call(mediaApi.update, { id, body: mediaInput({ ...kept, translations: changed }) })
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    const writers = Array.from({ length: 12 }, () => () => draw([save, retitle, draw(writes)])())
    expect(await atOnce(writers, REFUSED)).toEqual([])
    for (const check of [found, counters]) for await (const { what } of check.run()) expect(what).toBe('')
    for (const id of works) await call(mediaApi.restore, { id })
  }
})

test('prevents a cycle when two tags are concurrently made each other’s parent', async () => {
  const { call } = await signedIn()
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, two] = await Promise.all([aTag(), aTag()])
    const below = (id: string, parentTag: string) =>
      call(tagsApi.update, {
        id,
        body: { ...newTag(), translations: { en: { name: id, description: '' } }, parentTag },
      })
    const done = await Promise.allSettled([below(one, two), below(two, one)])
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  }
})

test.skipIf(process.env.ENGINE !== 'postgres')('restarts a transaction whose row locks would deadlock', async () => {
  const ids = await Promise.all([1, 2].map(async () => (await aMedia())._id))
  const [early, late] = ids.toSorted().map((id) => ({ kind: 'Media' as const, id }))
  if (!early || !late) throw new Error('Two media were made')
  const before = retries['40001']
  const [earlyIsHeld, lateIsHeld] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await Promise.all([
    transaction(async (tx) => {
      await lockRows(tx, [early])
      earlyIsHeld.resolve()
      await lateIsHeld.promise
      await lockRows(tx, [late])
    }),
    transaction(async (tx) => {
      await lockRows(tx, [late])
      lateIsHeld.resolve()
      await earlyIsHeld.promise
      await lockRows(tx, [early])
    }),
  ])
  expect(retries['40001'] - before).toBe(1)
  expect(retries['40P01']).toBe(0)
})

test.skipIf(process.env.ENGINE !== 'postgres')('a notification does not wait until its user is unlocked', async () => {
  const { _id } = await aUser()
  const data = { address: '192.0.2.1', userAgent: 'A browser' }
  await transaction(async (tx) => {
    await lockRows(tx, [{ kind: 'User', id: _id }])
    await transaction(async (other) => notifications.notify(other, [{ to: _id, kind: 'NEW_SIGN_IN', data }]))
  })
  expect(await notifications.unread(_id)).toBe(1)
})

// Several users change the same few entities at once, in random order. Afterwards everything that is derived from the
// entities is right, and what a batch has changed can be undone. A failure prints the seed and the changes. For a longer
// run: FUZZ_RUNS=50 FUZZ_SEED=$RANDOM. With FUZZ_SHRINK=on, a failure prints the shortest sequence of changes that was
// found to fail: that takes hundreds of runs.
import { assetsApi } from '@mokuroku/contract/assets'
import { batchesApi } from '@mokuroku/contract/batches'
import type { Call } from '@mokuroku/contract/call'
import { ApiError } from '@mokuroku/contract/call'
import { charactersApi } from '@mokuroku/contract/characters'
import { languagesApi } from '@mokuroku/contract/languages'
import { mediaApi } from '@mokuroku/contract/media'
import { ratingsApi } from '@mokuroku/contract/ratings'
import { revisionsApi } from '@mokuroku/contract/revisions'
import { tagsApi } from '@mokuroku/contract/tags'
import { trashApi } from '@mokuroku/contract/trash'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { db } from '#database/db.ts'
import { TABLES } from '#database/tables.ts'
import { footprintOf } from '#ledger/footprint.ts'
import { allDefinitions } from '#ledger/registry.ts'
import { idle, signedIn, startEmpty, withApp } from '#test/app.ts'
import { aCharacter, aMedia, aTag, aTier } from '#test/factories.ts'
import { anAsset } from '#test/kinds.ts'
import { SYSTEM } from '#access/permissions.ts'
import { verify } from '../src/admin/verify.ts'

withApp()

const RUNS = Number(process.env.FUZZ_RUNS ?? 3)
const isShrunk = process.env.FUZZ_SHRINK === 'on'
/** For each run, far more than it takes on a loaded machine; none while a failure is shrunk, which would be cut off. */
const timeout = isShrunk ? 0 : RUNS * 100_000
const seed = Number(process.env.FUZZ_SEED ?? (process.env.ENGINE === 'postgres' ? 20_261_130 : 20_261_129))

/** The number of entities of each kind that the users share. */
const SHARED = 6
const some = fc.subarray(
  Array.from({ length: SHARED }, (_, at) => at),
  { maxLength: 2 },
)
const change = fc.record({
  who: fc.constantFrom('admin', 'moderator', 'user', 'other'),
  one: fc.nat(SHARED - 1),
  other: fc.nat(SHARED - 1),
  some,
  more: some,
  language: fc.constantFrom('en', 'ja', 'zh', 'zh-Hans'),
  text: fc.constantFrom('', 'Night train', '銀河鉄道の夜', '\u202enight', 'e\u0301'.repeat(40), '__proto__'),
  isStale: fc.boolean(),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

interface Shared {
  media: string[]
  characters: string[]
  tags: string[]
  assets: string[]
}

const pick = (ids: string[], at: number): string => ids[at] ?? ''
const picked = (ids: string[], places: number[]): string[] => places.map((at) => pick(ids, at))

/** What a user does, by its name in a failure. */
const ACTIONS: Record<string, (call: Call, shared: Shared, given: Change) => Promise<unknown>> = {
  saveMedia: async (call, shared, { one, some: linked, more, language, text, isStale }) => {
    const id = pick(shared.media, one)
    const found = await call(mediaApi.find, { id })
    const translations = { ...found.translations, [language]: { title: text, description: text } }
    const { mediaType, releaseDate } = found
    const links = { tags: picked(shared.tags, linked), characters: picked(shared.characters, more) }
    const related = {
      relatedMedia: picked(shared.media, more).filter((each) => each !== id),
      cover: pick(shared.assets, one),
    }
    const body = { mediaType, releaseDate, isOngoing: isStale, translations, ...links, ...related }
    return call(mediaApi.update, { id, body, base: isStale ? 1 : found.version })
  },
  saveCharacter: async (call, shared, { one, some: linked, more, language, text, isStale }) => {
    const id = pick(shared.characters, one)
    const { version } = await call(charactersApi.find, { id })
    const body = {
      translations: { [language]: { name: text, description: '' } },
      tags: picked(shared.tags, more),
      mediaRefs: picked(shared.media, linked),
    }
    return call(charactersApi.update, { id, body, base: isStale ? 1 : version })
  },
  saveTag: (call, shared, { one, other, language, text }) =>
    call(tagsApi.update, {
      id: pick(shared.tags, one),
      body: {
        type: 'THEME',
        translations: { [language]: { name: text, description: '' } },
        icon: null,
        color: '#123456',
        parentTag: other > one ? pick(shared.tags, other) : null,
        status: 'ACTIVE',
      },
    }),
  removeMedia: (call, shared, { one }) => call(mediaApi.remove, { id: pick(shared.media, one) }),
  restoreMedia: (call, shared, { one }) => call(mediaApi.restore, { id: pick(shared.media, one) }),
  removeCharacter: (call, shared, { one }) => call(charactersApi.remove, { id: pick(shared.characters, one) }),
  restoreCharacter: (call, shared, { one }) => call(charactersApi.restore, { id: pick(shared.characters, one) }),
  removeTag: (call, shared, { one }) => call(tagsApi.remove, { id: pick(shared.tags, one) }),
  restoreTag: (call, shared, { one }) => call(tagsApi.restore, { id: pick(shared.tags, one) }),
  removeAsset: (call, shared, { one }) => call(assetsApi.remove, { id: pick(shared.assets, one) }),
  restoreAsset: (call, shared, { one }) => call(assetsApi.restore, { id: pick(shared.assets, one) }),
  rate: (call, shared, { one, other }) =>
    call(ratingsApi.create, { body: { mediaId: pick(shared.media, one), score: other * 2.5 + 0.1 } }),
  rateAgain: async (call, shared, { one, other }) => {
    const [rating] = await call(ratingsApi.ofMedia, { id: pick(shared.media, one) })
    return call(ratingsApi.update, { id: rating?._id ?? '', body: { score: other } })
  },
  replaceTag: (call, shared, { one, other }) =>
    call(tagsApi.replace, { id: pick(shared.tags, one), body: { with: pick(shared.tags, other) } }),
  mergeMedia: async (call, shared, { one, other }) => {
    const [id, from] = [pick(shared.media, one), pick(shared.media, other)]
    const [{ version: base }, { version }] = [
      await call(mediaApi.find, { id }),
      await call(mediaApi.find, { id: from }),
    ]
    return call(mediaApi.merge, { id, base, body: { from: { _id: from, version } } })
  },
  mergeTags: async (call, shared, { one, other }) => {
    const [id, from] = [pick(shared.tags, one), pick(shared.tags, other)]
    const [{ version: base }, { version }] = [await call(tagsApi.find, { id }), await call(tagsApi.find, { id: from })]
    return call(tagsApi.merge, { id, base, body: { from: { _id: from, version } } })
  },
  tagMedia: (call, shared, { some: ids, more }) =>
    call(mediaApi.bulk, { body: { ids: picked(shared.media, ids), change: { addTags: picked(shared.tags, more) } } }),
  clearCovers: (call) => call(mediaApi.bulk, { body: { filter: { hasCover: 'true' }, change: { cover: '' } } }),
  fold: (call) => call(languagesApi.fold, { body: { from: 'zh', to: 'zh-Hans' } }),
  restoreVersion: async (call, shared, { one, other }) => {
    const query = { entityType: 'Media' as const, entityId: pick(shared.media, one) }
    const { data } = await call(revisionsApi.list, { query })
    return call(revisionsApi.restore, { id: data[other]?._id ?? '', body: {} })
  },
  rollBack: async (call, _, { one }) => {
    const batch = (await call(batchesApi.list)).data[one]
    return call(batchesApi.rollback, { id: batch?._id ?? '', body: { reason: 'a test' } })
  },
  purgeTag: async (call, shared, { one }) => {
    const id = pick(shared.tags, one)
    await call(tagsApi.remove, { id })
    return call(trashApi.purge, { kind: 'Tag', id })
  },
}

/** Changes of several users at the same time. */
const turn = fc.array(fc.tuple(fc.constantFrom(...Object.keys(ACTIONS)), change), { minLength: 1, maxLength: 8 })

async function sharedEntities(): Promise<Shared> {
  const each = Array.from({ length: SHARED })
  return {
    tags: await Promise.all(each.map(() => aTag())),
    characters: await Promise.all(each.map(() => aCharacter())),
    media: (await Promise.all(each.map(() => aMedia()))).map(({ _id }) => _id),
    assets: await Promise.all(each.map(() => anAsset({ actor: SYSTEM }))),
  }
}

/** The fields of all entities with a history, and whether they are in the trash. */
async function entities(): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {}
  for (const definition of allDefinitions())
    for (const row of await db.selectFrom(TABLES[definition.kind]).selectAll().execute())
      all[`${definition.kind} ${row._id}`] = {
        ...footprintOf(definition, row).snapshot,
        isDeleted: row.deletedAt !== null,
      }
  return all
}

async function problems(): Promise<string[]> {
  const lines: string[] = []
  await verify({ repair: false, files: false }, (line) => void lines.push(line))
  // The images of this test have no files.
  return lines.filter((line) => !/: OK$|^files: /.test(line))
}

test('what is derived from the entities stays right, and a batch can be undone', { timeout }, async () => {
  const work = async (turns: [string, Change][][], last: Change) => {
    await startEmpty()
    await aTier(10, { canEditAnyContent: true, canEditOwnContent: true, canRateContent: true })
    const users = {
      admin: await signedIn(),
      moderator: await signedIn({ role: 'moderator' }),
      user: await signedIn({ role: 'user', scores: 10 }),
      other: await signedIn({ role: 'user', scores: 0 }),
    }
    const they = await sharedEntities()
    for (const each of turns) {
      const ended = await Promise.allSettled(
        each.map(async ([action, given]) => ACTIONS[action]?.(users[given.who].call, they, given)),
      )
      for (const result of ended)
        if (result.status === 'rejected' && !(result.reason instanceof ApiError && result.reason.status < 500))
          throw result.reason
    }
    await idle()
    expect(await problems()).toEqual([])

    const before = await entities()
    const { call } = users.admin
    const started = await call(mediaApi.bulk, {
      body: { filter: {}, change: { addTags: picked(they.tags, last.some), isOngoing: last.isStale } },
    }).catch((error: unknown) => error)
    if (started instanceof ApiError) return expect(started.status).toBe(400)
    const { batch: id } = started as { batch: string }
    await idle()
    await call(batchesApi.rollback, { id, body: { reason: 'a test' } })
    await idle()
    expect(await entities()).toEqual(before)
    expect(await problems()).toEqual([])
  }
  await fc.assert(fc.asyncProperty(fc.array(turn, { minLength: 15, maxLength: 30 }), change, work), {
    seed,
    numRuns: RUNS,
    endOnFailure: !isShrunk,
  })
})

test('each of these changes is possible', async () => {
  await startEmpty()
  const { call } = await signedIn()
  const they = await sharedEntities()
  const given: Change = {
    who: 'admin',
    one: 0,
    other: 1,
    some: [0, 2],
    more: [3],
    language: 'zh',
    text: '銀河',
    isStale: false,
  }
  for (const action of Object.values(ACTIONS)) {
    expect(await action(call, they, given)).toBeDefined()
    await idle()
  }
  expect(await problems()).toEqual([])
})

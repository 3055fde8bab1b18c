import { type FindingCode, findingsApi } from '@mokuroku/contract/findings'
import { settingsApi } from '@mokuroku/contract/settings'
import { beforeEach, expect, test } from 'vitest'
import { db, transaction } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { media } from '#store/media'
import { signedIn, withApp } from '#test/app.ts'
import { aMedia, aTag, mediaInput } from '#test/factories.ts'
import { newId } from '#lib/ids.ts'
import { verify } from '../src/admin/verify.ts'
import { checkProgress } from '#ledger/findingStore.ts'
import { rebuildFindings, recheckDated } from '../src/findings/rebuild.ts'

withApp()

const never = new AbortController().signal

/** A signal that is aborted after this many steps. */
function stoppedAfter(steps: number): AbortSignal {
  let count = 0
  return Object.defineProperty(new AbortController().signal, 'aborted', { get: () => (count += 1) > steps })
}

/** The number of media that lack a title in a language. */
async function missingIn(language: string): Promise<number> {
  const { call } = await signedIn()
  const { data } = await call(findingsApi.list, { query: { entityType: 'Media', code: 'missing', language } })
  return data[0]?.count ?? 0
}

async function settle(general: { languages?: string[]; findings?: FindingCode[] }): Promise<void> {
  const { call } = await signedIn()
  await call(settingsApi.update, { body: { general } })
  await expect.poll(checkProgress).toBeUndefined()
}

beforeEach(() => rebuildFindings(never))

test('rebuilds the findings in the background when the wanted languages or checks change', async () => {
  const { call } = await signedIn()
  await aMedia()
  await aTag()
  const { mediaCount } = await countOf()
  expect(await missingIn('is')).toBe(0)
  await settle({ languages: ['en', 'is'] })
  expect(await missingIn('is')).toBe(mediaCount)
  expect(await missingIn('zh')).toBe(0)

  await settle({ findings: ['noCover'] })
  const { data } = await call(findingsApi.list, { query: { entityType: 'Media' } })
  expect(data).toEqual([{ code: 'noCover', field: 'cover', count: mediaCount }])
  expect((await call(findingsApi.list, { query: { entityType: 'Tag' } })).data).toEqual([])
  expect(await isWell()).toBe(true)
  await settle({ languages: ['en', 'zh'], findings: ['missing', 'noCover'] })
})

test('resumes a stopped rebuild, reports its progress, and tolerates concurrent rebuilds', async () => {
  await transaction((tx) =>
    media.createManyIn(
      tx,
      Array.from({ length: 1200 }, () => ({
        id: newId(),
        input: mediaInput(),
        context: { actor: SYSTEM, quiet: true },
      })),
    ),
  )
  const { mediaCount } = await countOf()
  await db.updateTable('findingsProgress').set({ rules: 'other rules' }).execute()
  await db.deleteFrom('findings').execute()
  for (const table of ['counters', 'counterShards'] as const)
    await db.deleteFrom(table).where('name', 'like', 'findingCount.%').execute()
  const { call } = await signedIn()
  await rebuildFindings(stoppedAfter(3))
  const { progress } = await call(findingsApi.list, { query: { entityType: 'Media' } })
  expect(progress?.done).toBe(1000)
  expect(progress?.total).toBeGreaterThanOrEqual(mediaCount)

  await Promise.all([rebuildFindings(never), rebuildFindings(never)])
  expect((await call(findingsApi.list, { query: { entityType: 'Media' } })).progress).toBeUndefined()
  expect(await missingIn('zh')).toBe(mediaCount)
  expect(await isWell()).toBe(true)
})

test('removes the finding of a completed but unreleased media once it is released', async () => {
  await settle({ findings: ['futureCompleted'] })
  const { _id: id } = await aMedia({ releaseDate: '2999-01-01T00:00:00.000Z' })
  const { call } = await signedIn()
  const codes = async () => (await call(findingsApi.find, { id })).data.map(({ code }) => code)
  expect(await codes()).toEqual(['futureCompleted'])
  await recheckDated(never)
  expect(await codes()).toEqual(['futureCompleted'])
  // As if the release date had passed.
  await db.updateTable('media').set({ releaseDate: '2020-01-01T00:00:00.000Z' }).where('_id', '=', id).execute()
  await recheckDated(never)
  expect(await codes()).toEqual([])
  expect(await isWell()).toBe(true)
  await settle({ findings: ['missing', 'noCover'] })
})

test('verify finds and repairs missing and stale findings', async () => {
  const { _id: entityId } = await aMedia()
  await db.deleteFrom('findings').where('entityId', '=', entityId).execute()
  const nowhere = { entityType: 'Tag', entityId: 'nowhere', language: '', field: 'cover', since: '2026' } as const
  await db
    .insertInto('findings')
    .values({ ...nowhere, code: 'noCover' })
    .execute()
  const lines = await linesOf(true)
  expect(lines.find((line) => line.startsWith('findings'))).toContain('2 problems, 2 repaired')
  expect(await isWell()).toBe(true)
})

async function linesOf(repair: boolean): Promise<string[]> {
  const lines: string[] = []
  await verify({ repair, files: false }, (line) => lines.push(line))
  return lines
}

const isWell = async () =>
  (await linesOf(false)).filter((line) => /^(findings|counters)/.test(line)).every((line) => line.endsWith(': OK'))

async function countOf() {
  const { n } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return { mediaCount: n }
}

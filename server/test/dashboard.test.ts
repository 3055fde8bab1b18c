import { dashboardApi } from '@mokuroku/contract/dashboard'
import { mediaApi } from '@mokuroku/contract/media'
import { beforeEach, expect, test } from 'vitest'
import { SYSTEM } from '#access/permissions.ts'
import { db, transaction } from '#database/db.ts'
import { recordCounters } from '#ledger/counterDays.ts'
import { DAY_MS, momentIn, now } from '#lib/clock.ts'
import { assets } from '#store/assets'
import { signedIn, startEmpty, withApp } from '#test/app.ts'
import { withinOneDay } from '#test/days.ts'
import { aMedia, aTag, aTier, mediaInput } from '#test/factories.ts'
import { aPicture, send } from '#test/files.ts'
import { analyze, expectIndexed } from '#test/plans.ts'
import { assetFlags } from '../src/admin/checks/assetFlags.ts'
import { counters } from '../src/admin/checks/counters.ts'
import { work } from '../src/dashboard/work.ts'

withApp()
beforeEach(withinOneDay)

const earlier = momentIn(-3 * DAY_MS).slice(0, 10)

/** Records the counts of an empty catalogue, three days ago. */
async function recordEarlier() {
  await startEmpty()
  await recordCounters()
  await db.updateTable('counterDays').set({ day: earlier }).execute()
}

const workOf = async (given?: Parameters<typeof signedIn>[0]) => (await signedIn(given)).call(dashboardApi.work)

test('updates the open work with every write, and shows the counts of past days', async () => {
  await recordEarlier()
  const editor = await signedIn()
  const { findings: before } = await workOf()
  expect(before).toEqual([])
  const input = { translations: { en: { title: 'Botchan', description: '' } } }
  const { _id } = await aMedia(input)
  await aMedia(input)
  await aTag({ translations: { en: { name: 'School', description: '' } } })
  const { findings, languages } = await workOf()
  const past = [{ day: earlier, count: 0 }]
  expect(findings).toContainEqual({ entityType: 'Media', code: 'missing', language: 'zh', count: 2, past })
  expect(findings).toContainEqual({ entityType: 'Tag', code: 'missing', language: 'zh', count: 1, past })
  expect(findings).toContainEqual({ entityType: 'Media', code: 'duplicate', count: 2, past })
  const english = languages.find(({ tag }) => tag === 'en')?.shares[0]
  expect(english).toEqual({ entityType: 'Media', filled: 2, of: 2, past: [{ day: earlier, filled: 0, of: 0 }] })

  const asset = (await send(await aPicture(), 'cover.png', editor)).body
  expect((await workOf()).files?.unused).toMatchObject({ count: 1, size: asset.size })
  await editor.call(mediaApi.update, { id: _id, body: mediaInput({ ...input, cover: asset._id }) })
  expect((await workOf()).files).toMatchObject({ unused: { count: 0, size: 0 }, failed: { count: 0 } })
  const { storageKey } = await db.selectFrom('assets').select('storageKey').executeTakeFirstOrThrow()
  await transaction((tx) => assets.storeFindings(tx, asset._id, storageKey, { status: 'ERROR', failure: 'unfit' }))
  const failed = await workOf()
  expect(failed.files).toMatchObject({ failed: { count: 1, size: asset.size } })
  expect(failed.findings).toContainEqual({ entityType: 'Media', code: 'brokenLink', count: 1, past })
  await assets.remove(asset._id, { actor: SYSTEM })
  expect((await workOf()).files).toMatchObject({ unused: { count: 0 }, failed: { count: 0 } })
  await editor.call(mediaApi.remove, { id: _id })
  await assets.restore(asset._id, { actor: SYSTEM })
  expect((await workOf()).files).toMatchObject({ unused: { count: 1 }, failed: { count: 1 } })
  for (const check of [assetFlags, counters]) for await (const { what } of check.run()) expect(what).toBe('')
})

test('shows no work to users who are not permitted to do it', async () => {
  const { actor, call } = await signedIn({ role: 'user' })
  await aMedia({}, { actor, verdict: { allowed: true } })
  const { findings, files, languages } = await call(dashboardApi.work)
  expect([findings, files, languages.length]).toEqual([[], undefined, 2])
})

test('counts only their own entities for users who may edit only those', async () => {
  await aTier(500, { canEditOwnContent: true })
  const { actor, call } = await signedIn({ role: 'user', scores: 500 })
  const input = { translations: { en: { title: 'Sanshiro', description: '' } } }
  await aMedia(input, { actor, verdict: { allowed: true } })
  await aMedia({ translations: { en: { title: 'Sorekara', description: '' } } })
  const { findings } = await call(dashboardApi.work)
  const own = { entityType: 'Media', createdBy: actor._id, count: 1, past: [] }
  expect(findings).toContainEqual({ ...own, code: 'missing', language: 'zh' })
  expect(findings).toContainEqual({ ...own, code: 'noCover' })
  expect(findings.every(({ count }) => count === 1)).toBe(true)
  await analyze()
  await expectIndexed(() => work(actor), { sorted: 'what one user created', counted: 'what one user created' })
})

test('reads the open work by index, and records the counts once a day', async () => {
  await recordEarlier()
  const { actor } = await signedIn()
  await analyze()
  await expectIndexed(() => work(actor), { sorted: 'seven days of each number' })
  await recordCounters()
  await recordCounters()
  const days = await db.selectFrom('counterDays').select('day').where('name', '=', '').orderBy('day').execute()
  expect(days.map(({ day }) => day)).toEqual([earlier, now().slice(0, 10)])
})

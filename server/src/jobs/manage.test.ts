import { jobsApi } from '@mokuroku/contract/jobs'
import { expect, test } from 'vitest'
import { DAY_MS, momentIn } from '#lib/clock.ts'
import { db, transaction } from '#database/db.ts'
import { newId } from '#lib/ids.ts'
import { idle, signedIn, withApp } from '#test/app.ts'
import { addOnce, enqueue, repeat } from './queue.ts'
import { registerWork } from './work.ts'

withApp()

let runs = 0
registerWork('counted', { run: async () => void (runs += 1) })
registerWork('counted.daily', { everyMs: DAY_MS, run: () => Promise.resolve() })

async function aJob(changes: object): Promise<string> {
  const id = newId()
  await transaction(async (tx) => {
    await enqueue(tx, { id, kind: 'counted', payload: { secret: 'of nobody' } })
    await tx.updateTable('jobs').set(changes).where('_id', '=', id).execute()
  })
  return id
}
const later = momentIn(120_000)

test('lists jobs by page and state without payloads; moderators can read but not change them', async () => {
  const { call } = await signedIn({ role: 'moderator' })
  const ids = [await aJob({ state: 'failed', error: 'It broke', dueAt: later }), await aJob({ dueAt: later })]
  const { data } = await call(jobsApi.list, { query: { state: 'failed' } })
  expect(data).toMatchObject([{ _id: ids[0], kind: 'counted', error: 'It broke', canRetry: true, canCancel: false }])
  expect(JSON.stringify(data)).not.toContain('of nobody')
  const all = await call(jobsApi.list, { query: { limit: 1, page: 2 } })
  expect(all.data).toHaveLength(1)
  expect(all.pagination).toMatchObject({ page: 2, limit: 1 })
  expect(all.pagination.total).toBeGreaterThanOrEqual(2)
  await expect(call(jobsApi.retry, { id: ids[0] ?? '' })).rejects.toMatchObject({ status: 403 })
  await expect(call(jobsApi.cancel, { id: ids[1] ?? '' })).rejects.toMatchObject({ status: 403 })
  const { call: asUser } = await signedIn({ role: 'user' })
  await expect(asUser(jobsApi.list, {})).rejects.toMatchObject({ status: 403 })
})

test('an administrator can start a failed or waiting job at once, but not a finished one', async () => {
  const { call } = await signedIn()
  for (const changes of [{ state: 'failed', attempts: 8, error: 'It broke', dueAt: later }, { dueAt: later }]) {
    const [id, before] = [await aJob(changes), runs]
    expect(await call(jobsApi.retry, { id })).toMatchObject({ state: 'queued', attempts: 0, error: null })
    await idle()
    expect(runs).toBe(before + 1)
    await expect(call(jobsApi.retry, { id })).rejects.toMatchObject({ status: 409 })
    await expect(call(jobsApi.cancel, { id })).rejects.toMatchObject({ status: 409, code: 'finished' })
  }
  const entries = await db.selectFrom('audit').select('details').where('action', '=', 'settings.jobChanged').execute()
  expect(entries.map(({ details }) => details)).toMatchObject([
    { what: 'retry', kind: 'counted' },
    { what: 'retry', kind: 'counted' },
  ])
})

test('cancels a waiting job, but not a repeated one', async () => {
  const { call } = await signedIn()
  const id = await aJob({ dueAt: later })
  expect(await call(jobsApi.cancel, { id })).toMatchObject({ state: 'cancelled', canCancel: false })
  await repeat('counted.daily')
  await idle()
  await expect(call(jobsApi.cancel, { id: 'counted.daily' })).rejects.toMatchObject({ status: 409, code: 'repeated' })
  await transaction((tx) => addOnce(tx, 'counted'))
  await idle()
  await expect(call(jobsApi.cancel, { id: 'nothing' })).rejects.toMatchObject({ status: 404 })
})

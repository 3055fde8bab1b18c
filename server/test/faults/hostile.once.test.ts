import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aSound } from '../files.ts'
import { aForm, until, withSite } from './site.ts'

const { env, write, ask, rowOf, restarted } = withSite()

test('retries a file once after a server crash, and again on request', async () => {
  const { _id: id } = (await ask('POST', '/api/assets', aForm(aSound(), 'fine.wav'))).body
  await restarted(() => write(`UPDATE "assets" SET "status" = 'PROCESSING', "attempts" = 1 WHERE "_id" = '${id}'`))
  await until('it is ready', async () => (await rowOf(id)).status === 'READY')
  // A user can retry a file that has failed, even one that was given up.
  await restarted(() => write(`UPDATE "assets" SET "status" = 'ERROR', "attempts" = 2 WHERE "_id" = '${id}'`))
  expect((await ask('POST', `/api/assets/${id}/retry`)).status).toBe(200)
  await until('it is ready again', async () => (await rowOf(id)).status === 'READY')
})

test('a damaged file fails at the first attempt, with a reason', async () => {
  const { body } = await ask('POST', '/api/assets', aForm(aSound(), 'other.wav'))
  const key = String((await rowOf(body._id)).storageKey)
  writeFileSync(join(env().DATA_DIR ?? '', 'files', key), 'no sound')
  await restarted(() => write(`UPDATE "assets" SET "status" = 'PENDING', "attempts" = 0 WHERE "_id" = '${body._id}'`))
  await until('it has failed', async () => (await rowOf(body._id)).status === 'ERROR')
  expect(await rowOf(body._id)).toMatchObject({ failure: expect.stringContaining('is not readable'), attempts: 1 })
})

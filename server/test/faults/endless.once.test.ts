import { expect, test } from 'vitest'
import type { Row } from '../crash.ts'
import { endlessFlac } from '../hostile.ts'
import { aForm, until, withSite } from './site.ts'

const UNFIT = 'The file takes too much time or memory to process. Try again, or upload it in another format.'
const { write, ask, rowOf, restarted } = withSite()

test('class 16: gives up on a file that exceeds the limits of its process twice, and does not try it again after a crash of the server', async () => {
  const sent = await ask('POST', '/api/assets', aForm(endlessFlac(), 'endless.flac'))
  expect(sent.status).toBe(201)
  const id = sent.body._id
  const failed = () => until('it has failed', async () => (await rowOf(id)).status === 'ERROR')
  await failed()
  expect(await rowOf(id)).toMatchObject({ status: 'ERROR', failure: UNFIT, attempts: 2 })
  // As if the server had crashed with the file.
  await restarted(() => write(`UPDATE "assets" SET "status" = 'PROCESSING', "failure" = NULL WHERE "_id" = '${id}'`))
  await failed()
  expect(await rowOf(id)).toMatchObject({ failure: UNFIT, attempts: 2 })
  const { data } = (await ask('GET', '/api/assets?search=endless')).body as unknown as { data: Row[] }
  expect(data).toMatchObject([{ status: 'ERROR', failure: UNFIT }])
})

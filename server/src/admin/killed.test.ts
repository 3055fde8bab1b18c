import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mediaApi } from '@mokuroku/contract/media'
import { authApi } from '@mokuroku/contract/auth'
import { beforeAll, expect, test } from 'vitest'
import { rebuildSearch } from '../search/rebuild.ts'
import { callOn } from '#test/crash.ts'
import { moreOf } from '#test/counters.ts'
import { aMedia, mediaInput } from '#test/factories.ts'
import { ADMIN, everyRow, fillCatalogue, inside, operator, restoreInto } from '#test/operator.ts'
import { type Place, placesOfFile } from '#test/instances.ts'
import { launch, refusedStart, startServer } from '#test/process.ts'
import { SENDING } from '#mail/outgoing.ts'

/** How long after its first file appears a command is killed, in milliseconds: from its beginning to about its end. */
const MOMENTS = [0, 400]

const somewhere = placesOfFile()
let catalogue: Place
let backup: string
let tag: string

beforeAll(async () => {
  catalogue = await somewhere()
  backup = join(dirname(catalogue.folder), 'backup')
  ;({ tag } = await fillCatalogue(catalogue))
  await inside(catalogue, async () => {
    for (let count = 0; count < 300; count++) await aMedia()
  })
})

/** Runs a command, and kills it `moment` milliseconds after the file `trace` has appeared. */
async function killed({ env }: Place, words: string[], trace: string, moment: number): Promise<void> {
  const { child, ended } = launch(ADMIN, env, [], { words })
  while (!existsSync(trace) && child.exitCode === null) await sleep(1)
  await sleep(moment)
  child.kill('SIGKILL')
  await ended
}

test('a killed backup is refused as incomplete, and can be made again', async () => {
  let brokenOff = 0
  for (const moment of MOMENTS) {
    const into = `${backup}-${moment}`
    await killed(catalogue, ['backup', into], join(into, 'manifest.partial.json'), moment)
    if (!existsSync(join(into, 'manifest.json'))) {
      brokenOff += 1
      const { code, errors } = await restoreInto(await somewhere(), into)
      expect([code, errors]).toEqual([1, `The backup in ${into} is incomplete. Use another one.`])
      expect(await operator(catalogue, ['backup', into])).toMatchObject({ code: 0 })
    }
    expect(await restoreInto(await somewhere(), into)).toMatchObject({ code: 0 })
  }
  expect(brokenOff).toBeGreaterThan(0)
})

test('a killed restore prevents a start, and can be run again', async () => {
  expect(await operator(catalogue, ['backup', backup])).toMatchObject({ code: 0 })
  const before = await everyRow(catalogue)
  let brokenOff = 0
  for (const moment of MOMENTS) {
    const place = await somewhere()
    const mark = join(place.folder, 'restore.partial')
    await killed(place, ['restore', backup], mark, moment)
    if (existsSync(mark)) {
      brokenOff += 1
      const { code, errors } = await refusedStart(place.env)
      expect([code, errors]).toEqual([
        1,
        `Mokuroku cannot start. A restore into ${place.folder} was interrupted. ` +
          'Run it again: npm run admin -- restore <folder>\n',
      ])
      expect(await operator(place, ['search'])).toMatchObject({ code: 1 })
      expect(await restoreInto(place, backup)).toMatchObject({ code: 0 })
    }
    // If it was killed while indexing, the next start continues.
    await inside(place, () => rebuildSearch())
    expect(await everyRow(place)).toEqual(before)
  }
  expect(brokenOff).toBeGreaterThan(0)
})

test('a restore that was killed after copying the database can be completed', async () => {
  const place = await somewhere()
  expect(await restoreInto(place, backup)).toMatchObject({ code: 0 })
  writeFileSync(join(place.folder, 'restore.partial'), '')
  expect(await restoreInto(place, backup)).toMatchObject({ code: 0 })
  expect(await everyRow(place)).toEqual(await everyRow(catalogue))
})

test('a backup of a running server that has an email to send can be restored, and started at once', async () => {
  const [running, place] = [await somewhere(), await somewhere()]
  await fillCatalogue(running)
  const server = await startServer({ ...running.env, SMTP_URL: 'smtp://127.0.0.1:9' })
  await callOn(server)(authApi.forgotPassword, { body: { email: 'admin@example.org' } })
  const waiting = `SELECT "_id" FROM "jobs" WHERE "kind" = '${SENDING}'`
  await expect.poll(() => running.sql(waiting)).toHaveLength(1)
  const into = `${backup}-running`
  expect(await operator(running, ['backup', into])).toMatchObject({ code: 0 })
  expect(await restoreInto(place, into)).toMatchObject({ code: 0 })
  // As if it had been killed at the very end.
  writeFileSync(join(place.folder, 'restore.partial'), '')
  expect(await restoreInto(place, into)).toMatchObject({ code: 0 })
  expect(await place.sql(waiting)).toEqual([])
  await (await startServer(place.env)).end()
  await server.end()
})

test('a restore that fails after filling the database prevents a start, and can be completed', async () => {
  const place = await somewhere()
  if (!place.url) return
  expect(await restoreInto(place, backup)).toMatchObject({ code: 0 })
  writeFileSync(join(place.folder, 'restore.partial'), '')
  const unreachable = {
    S3_BUCKET: 'files',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_REGION: 'here',
    S3_ACCESS_KEY_ID: 'a',
    S3_SECRET_ACCESS_KEY: 'b',
  }
  const { errors } = await restoreInto(place, backup, unreachable)
  expect(errors).toContain('127.0.0.1:9')
  expect((await refusedStart(place.env)).errors).toContain(`A restore into ${place.folder} was interrupted.`)
  expect(await restoreInto(place, backup)).toMatchObject({ code: 0 })
  expect(await everyRow(place)).toEqual(await everyRow(catalogue))
})

test('during writes, a backup is consistent and repaired counts stay exact', async () => {
  const server = await startServer(catalogue.env)
  const { token } = await callOn(server)(authApi.login, {
    body: { email: 'admin@example.org', password: 'correct horse battery' },
  })
  const call = callOn(server, token)
  const over = new AbortController()
  const write = async () => {
    for (let count = 0; !over.signal.aborted; count++) {
      const made = await call(mediaApi.create, { body: mediaInput({ tags: [tag] }) })
      if (count % 3 === 0) await call(mediaApi.remove, { id: made._id })
    }
    return true
  }
  const writers = [write(), write()]
  await sleep(300)
  const into = `${backup}-busy`
  expect(await operator(catalogue, ['backup', into])).toMatchObject({ code: 0 })
  await catalogue.sql(
    moreOf('mediaCount', 5),
    moreOf('tagUsage.GENRE', 5),
    `UPDATE "tags" SET "usageCount" = "usageCount" + 5`,
  )
  const repaired = await operator(catalogue, ['verify', '--repair'])
  expect(repaired).toMatchObject({ code: 0, output: expect.stringMatching(/uses of tags: 1 problem, 1 repaired/) })
  over.abort()
  expect(await Promise.all(writers)).toEqual([true, true])
  await server.end()
  const well = { code: 0, output: expect.stringMatching(/No problems found$/) }
  expect(await operator(catalogue, ['verify'])).toMatchObject(well)
  const place = await somewhere()
  expect(await restoreInto(place, into)).toMatchObject({ code: 0 })
  expect(await operator(place, ['verify'])).toMatchObject(well)
})

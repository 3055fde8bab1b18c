import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mediaApi } from '@mokuroku/contract/media'
import { authApi } from '@mokuroku/contract/auth'
import { beforeAll, expect, test } from 'vitest'
import { rebuildFindings } from '../findings/rebuild.ts'
import { rebuildSearch } from '../search/rebuild.ts'
import { callOn } from '#test/crash.ts'
import { moreOf } from '#test/counters.ts'
import { aMedia, mediaInput } from '#test/factories.ts'
import { ADMIN, everyRow, fillCatalogue, inside, operator, restoreInto } from '#test/operator.ts'
import { type Place, placesOfFile } from '#test/instances.ts'
import { postgres } from '#test/postgres.ts'
import { launch, refusedStart, startServer } from '#test/process.ts'
import { repeated } from '#test/repeated.ts'
import { SENDING } from '#mail/outgoing.ts'

/** Kills the process when it calls a function of a file, SQLite or its output with a text that ends in some words. */
const KILL = `import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync } from 'node:sqlite'
const [call, words] = JSON.parse(process.env.KILLED_AT)
for (const of of [fs, fs.promises, DatabaseSync.prototype, process.stdout]) {
  const real = of[call]
  if (!real) continue
  of[call] = function (...given) {
    if (given.some((each) => String(each).trim().endsWith(words))) process.kill(process.pid, 'SIGKILL')
    return real.apply(this, given)
  }
}
syncBuiltinESMExports()`
type Moment = [when: string, call: string, words: string]
const AT_END: Moment = ['at its very end', 'rmSync', 'restore.partial']
const COPYING = postgres ? (['prepare', 'FROM "revisions"'] as const) : (['rename', 'catalogue.sqlite'] as const)

const somewhere = placesOfFile()
let catalogue: Place
let backup: string
let tag: string
/** What the backup has. */
let before: Record<string, string[]>

beforeAll(async () => {
  catalogue = await somewhere()
  backup = join(dirname(catalogue.folder), 'backup')
  ;({ tag } = await fillCatalogue(catalogue))
  await inside(catalogue, async () => {
    for (let count = 0; count < 50; count++) await aMedia()
    // As a server does after its start.
    await rebuildFindings(new AbortController().signal)
  })
  await operator(catalogue, ['backup', backup])
  before = await everyRow(catalogue)
})

/** Runs a command that is killed at a moment. */
async function killed({ env }: Place, words: string[], [, ...moment]: Moment): Promise<void> {
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(KILL)}`]
  const { ended } = launch(ADMIN, { ...env, KILLED_AT: JSON.stringify(moment) }, preload, { words })
  expect(await ended).toMatchObject({ signal: 'SIGKILL', errors: '' })
}

test.each<Moment>([
  ['at its beginning', 'write', 'Copying the database'],
  ['while it copies the database', 'exec', 'PRAGMA journal_mode=DELETE'],
  ['while it copies files', 'copyFile', '.webp'],
  ['at its very end', 'rename', 'manifest.json'],
])('a backup that is killed %s is refused as incomplete, and can be made again', async (...moment) => {
  const into = `${backup}-${moment[1]}`
  await killed(catalogue, ['backup', into], moment)
  const { code, errors } = await restoreInto(await somewhere(), into)
  expect([code, errors]).toEqual([1, `The backup in ${into} is incomplete. Use another one.`])
  expect(await operator(catalogue, ['backup', into])).toMatchObject({ code: 0 })
  expect(await restoreInto(await somewhere(), into)).toMatchObject({ code: 0 })
})

test.each<Moment>([
  ['while it copies files', 'copyFile', '.webp'],
  ['when the files are there', 'write', 'Restoring the database'],
  ['while it copies the database', ...COPYING],
  AT_END,
])('a restore that is killed %s prevents a start, and can be run again', async (...moment) => {
  const place = await somewhere()
  await killed(place, ['restore', backup], moment)
  const { code, errors } = await refusedStart(place.env)
  expect([code, errors]).toEqual([
    1,
    `Mokuroku cannot start. A restore into ${place.folder} was interrupted. ` +
      'Run it again: npm run admin -- restore <folder>\n',
  ])
  expect(await operator(place, ['search'])).toMatchObject({ code: 1 })
  expect(await restoreInto(place, backup)).toMatchObject({ code: 0 })
  await inside(place, () => rebuildSearch())
  expect(await everyRow(place)).toEqual(before)
})

// On SQLite, the index is in the file that is copied.
test.runIf(postgres)('a restore that is killed while indexing is complete, and the next start indexes it', async () => {
  const place = await somewhere()
  await killed(place, ['restore', backup], ['while indexing', 'write', 'Building the search index'])
  await inside(place, () => rebuildSearch())
  expect(await everyRow(place)).toEqual(before)
})

test.runIf(postgres)(
  'a database that was restored completely is not taken for that of an interrupted restore',
  async () => {
    const [place, other] = [await somewhere(), await somewhere()]
    expect(await restoreInto(place, backup)).toMatchObject({ code: 0 })
    await killed(other, ['restore', backup], AT_END)
    const { code, errors } = await restoreInto({ env: { ...other.env, DATABASE_URL: place.env.DATABASE_URL } }, backup)
    expect([code, errors]).toEqual([1, expect.stringContaining('is not empty')])
    expect(await restoreInto(other, backup)).toMatchObject({ code: 0 })
  },
)

test('a restore of an older version that was killed after its upgrade can be completed', async () => {
  const [old, place] = [await somewhere(), await somewhere()]
  await fillCatalogue(old)
  await old.sql('DROP INDEX "users_avatar"', `DELETE FROM "migrations" WHERE "name" = '049-avatars.sql'`)
  const into = `${backup}-old`
  expect(await operator(old, ['backup', into])).toMatchObject({ code: 0 })
  await killed(place, ['restore', into], AT_END)
  expect(await place.sql(`SELECT "name" FROM "migrations" WHERE "name" = '049-avatars.sql'`)).toHaveLength(1)
  expect(await restoreInto(place, into)).toMatchObject({ code: 0, errors: '' })
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
  await killed(place, ['restore', into], AT_END)
  expect(await restoreInto(place, into)).toMatchObject({ code: 0 })
  expect(await place.sql(waiting)).toEqual([])
  await (await startServer(place.env)).end()
  await server.end()
})

test.runIf(postgres)(
  'a restore that fails after filling the database prevents a start, and can be completed',
  async () => {
    const place = await somewhere()
    await killed(place, ['restore', backup], AT_END)
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
    expect(await everyRow(place)).toEqual(before)
  },
)

test('during writes, a backup is consistent and repaired counts stay exact', async () => {
  const server = await startServer(catalogue.env)
  const { token } = await callOn(server)(authApi.login, {
    body: { email: 'admin@example.org', password: 'correct horse battery' },
  })
  const call = callOn(server, token)
  let count = 0
  const stopWriting = repeated(2, async () => {
    const made = await call(mediaApi.create, { body: mediaInput({ tags: [tag] }) })
    if (count++ % 3 === 0) await call(mediaApi.remove, { id: made._id })
  })
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
  await stopWriting()
  await server.end()
  const well = { code: 0, output: expect.stringMatching(/No problems found$/) }
  expect(await operator(catalogue, ['verify'])).toMatchObject(well)
  const place = await somewhere()
  expect(await restoreInto(place, into)).toMatchObject({ code: 0 })
  expect(await operator(place, ['verify'])).toMatchObject(well)
})

import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@mokuroku/contract/call'
import { newTag } from '@mokuroku/contract/tags'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aSite, faultsOf, type Row, type Site } from '../crash.ts'
import { mediaInput } from '../factories.ts'
import { aPicture, aSound } from '../files.ts'
import { postgres } from '../postgres.ts'
import { type Running, startServer } from '../process.ts'
import { aForm, ask, faultsOfFiles, inParts, rounds, settled, signIn, until } from './site.ts'

const MANY = 15
/** How long a start may take on a busy machine, in milliseconds. */
let site: Site
let token: string
let media: string[] = []

beforeAll(async () => {
  site = await aSite(postgres)
  const server = await running()
  token = await signIn(server)
  for (let each = 0; each < MANY; each++) {
    const body = { ...mediaInput(), tags: site.tags.slice(1) }
    media.push((await ask(server, token, 'POST', '/api/media', body)).body._id)
  }
})
afterAll(() => site.remove())

/** The server of the site: that of the previous round, if it is still running. */
const running = async (): Promise<Running> => (site.server ??= await startServer(site.env))

/** Lets `work` run for a random time once it `hasStarted`, ends the server, restarts it, and returns what is broken. */
async function round(
  signal: NodeJS.Signals,
  work: (server: Running, stop: AbortSignal) => Promise<void>,
  { maxDelayMs = 150, hasStarted = () => true }: { maxDelayMs?: number; hasStarted?: () => boolean } = {},
) {
  const server = await running()
  const stop = new AbortController()
  // Requests without a response are checked in the database; any other error fails the test.
  const ended = work(server, stop.signal).catch((error: unknown) => {
    if (!(error instanceof TypeError) && !(error instanceof ApiError)) throw error
  })
  await until('the work has begun', async () => hasStarted())
  await sleep(randomInt(5, maxDelayMs))
  const { code, errors } = await server.end(signal)
  stop.abort()
  await ended
  site.server = await startServer(site.env)
  const faults = errors ? [`the server complained: ${errors.slice(0, 500)}`] : []
  const log = server.output().replaceAll(/^Mokuroku is ready.*\n|^The first administrator.*\n/gm, '')
  if (log) faults.push(`the log: ${log.slice(0, 800)}`)
  if (signal === 'SIGTERM' && code !== 0) faults.push(`the clean end answered ${code}`)
  return faults
}

const signals = (few: number): NodeJS.Signals[] =>
  Array.from({ length: rounds(few) }, (_, each) => (each % 3 === 2 ? 'SIGTERM' : 'SIGKILL'))

/** A new tag on every media item. */
async function aTagOfAll(name: string) {
  const server = await running()
  const tag = { ...newTag(), translations: { en: { name, description: '' } } }
  const made = await ask(server, token, 'POST', '/api/tags', tag)
  expect(made.status).toBe(201)
  const { _id } = made.body
  for (const id of media) {
    const body = mediaInput({ tags: [_id, ...site.tags.slice(1)] })
    expect((await ask(server, token, 'PUT', `/api/media/${id}`, body)).status).toBe(200)
  }
  return { _id, server }
}

const titlesOf = async (): Promise<Map<string, string>> => {
  const rows = await site.read('SELECT "_id", "translations" FROM "media"')
  return new Map(rows.map((row) => [String(row._id), titleIn(row)]))
}
const titleIn = ({ translations }: Row): string =>
  (JSON.parse(String(translations)) as { en?: { title: string } }).en?.title ?? ''

test('keeps every media item intact and every acknowledged save if killed during a batch of translations', async () => {
  let [sent, answered] = [0, 0]
  for (const signal of signals(3)) {
    const before = answered
    const save = async (server: Running, stop: AbortSignal) => {
      while (!stop.aborted) {
        const title = `batch ${++sent}`
        const body = media.map((id) => ({ id, translations: { en: { title, description: '' } } }))
        const { status, body: answer } = await ask(server, token, 'PUT', '/api/translations/media/batch', body)
        if (status === 200 && answer.count === MANY) answered = sent
      }
    }
    const faults = await round(signal, save, { hasStarted: () => answered > before })
    const titles = await titlesOf()
    const numbers = media.map((id) => Number(titles.get(id)?.replace('batch ', '') ?? 0))
    // The batches were written in order, so no title may be older than the last acknowledged one.
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(answered)
    expect([...faults, ...(await faultsOf(site))]).toEqual([])
  }
}, 600_000)

test('rolls back all changes or none if killed during a rollback', async () => {
  let each = 0
  for (const signal of signals(3)) {
    const server = await running()
    const before = await titlesOf()
    const body = media.map((id) => ({ id, translations: { en: { title: `${each++} to undo`, description: '' } } }))
    const batch = await ask(server, token, 'PUT', '/api/translations/media/batch', body)
    expect(batch.body.count).toBe(MANY)
    let isAnswered = false
    const faults = await round(
      signal,
      async (current) => {
        const input = { batch: batch.body.batch, reason: 'killed on the way', dryRun: false }
        const answer = await ask(current, token, 'POST', '/api/translation-history/rollback', input)
        isAnswered = answer.status === 200
      },
      { maxDelayMs: 80 },
    )
    const after = await titlesOf()
    const undone = media.filter((id) => after.get(id) === before.get(id)).length
    expect([0, MANY]).toContain(undone)
    if (isAnswered) expect(undone).toBe(MANY)
    const marks = await site.read(`SELECT "isRolledBack" FROM "history" WHERE "revisionId" IN (
      SELECT "_id" FROM "revisions" WHERE "batch" = '${String(batch.body.batch)}')`)
    expect(marks.every(({ isRolledBack }) => isRolledBack === (undone > 0 ? 1 : 0))).toBe(true)
    expect([...faults, ...(await faultsOf(site))]).toEqual([])
  }
}, 600_000)

test('replaces a tag everywhere or nowhere if killed meanwhile', async () => {
  for (const signal of signals(2)) {
    const { _id, server } = await aTagOfAll('Replaced')
    let isAnswered = false
    const faults = await round(
      signal,
      async () => {
        const answer = await ask(server, token, 'POST', `/api/tags/${_id}/replace`, { with: site.tags[0] })
        isAnswered = answer.status === 200
      },
      { maxDelayMs: 80 },
    )
    const links = await site.read(`SELECT "fromId" FROM "links" WHERE "toId" = '${_id}' AND "field" = 'tags'`)
    expect(isAnswered ? [0] : [0, MANY]).toContain(links.length)
    const now = await running()
    if (links.length > 0) await ask(now, token, 'POST', `/api/tags/${_id}/replace`, { with: site.tags[0] })
    expect((await ask(now, token, 'DELETE', `/api/tags/${_id}`)).status).toBe(200)
    expect((await ask(now, token, 'DELETE', `/api/trash/Tag/${_id}`)).status).toBe(200)
    expect([...faults, ...(await faultsOf(site))]).toEqual([])
  }
}, 600_000)

test('completes a purge, including links, at the next start if killed meanwhile', async () => {
  for (const signal of signals(2)) {
    const { _id, server } = await aTagOfAll('Short-lived')
    expect((await ask(server, token, 'DELETE', `/api/tags/${_id}`)).status).toBe(200)
    const faults = await round(
      signal,
      async (current) => void (await ask(current, token, 'DELETE', `/api/trash/Tag/${_id}`)),
      { maxDelayMs: 60 },
    )
    const left = async () => (await site.read(`SELECT "_id", "deletedAt" FROM "tags" WHERE "_id" = '${_id}'`))[0]
    // Before the first step is stored, the tag is still in the trash; after that, the next start continues.
    const isUntouched = Date.parse(String((await left())?.deletedAt)) > Date.now() - 24 * 60 * 60 * 1000
    if (!isUntouched) await until('the next start goes on', async () => !(await left()))
    const links = await site.read(`SELECT "fromId" FROM "links" WHERE "toId" = '${_id}'`)
    expect(links).toHaveLength(isUntouched ? MANY : 0)
    if (isUntouched) await ask(await running(), token, 'DELETE', `/api/trash/Tag/${_id}`)
    expect(await left()).toBeUndefined()
    expect([...faults, ...(await faultsOf(site))]).toEqual([])
  }
}, 600_000)

test('leaves consistent rows and files if killed during uploads, whole, in parts or as a replacement', async () => {
  const [picture, other, sound, shorter] = [await aPicture(900, 700), await aPicture(300, 200), aSound(3), aSound(2)]
  const answered: { id: string; size: number }[] = []
  const note = ({ status, body }: Awaited<ReturnType<typeof ask>>) => {
    if (status >= 400) return
    const { _id, size } = (body.asset ?? body) as { _id: string; size: number }
    answered.push({ id: _id, size })
  }
  for (const signal of signals(3)) {
    const before = answered.length
    const faults = await round(
      signal,
      async (server, stop) => {
        const whole = async () => {
          while (!stop.aborted) {
            const made = await ask(server, token, 'POST', '/api/assets', aForm(picture, 'whole.png'))
            note(made)
            note(await ask(server, token, 'PUT', `/api/assets/${made.body._id}/file`, aForm(other, 'new.png')))
          }
        }
        const parts = async () => {
          while (!stop.aborted) {
            const made = await inParts(server, token, sound, 'parts.wav', 7000)
            note(made)
            const { _id } = (made.body.asset ?? {}) as { _id?: string }
            if (_id) note(await inParts(server, token, shorter, 'new.wav', 7000, _id))
          }
        }
        await Promise.all([whole(), parts()])
      },
      // The first upload after a start has to wait for the sandbox process.
      { maxDelayMs: 500, hasStarted: () => answered.length > before },
    )
    await settled(site)
    expect([...faults, ...(await faultsOfFiles(site))]).toEqual([])
    const rows = new Map((await site.read('SELECT * FROM "assets"')).map((row) => [String(row._id), row]))
    expect(answered.filter(({ id }) => !rows.has(id))).toEqual([])
  }
  expect(answered.length).toBeGreaterThan(0)
}, 600_000)

test('keeps the settings complete and the AI key readable if killed while they are saved', async () => {
  let answered = 0
  for (const signal of signals(2)) {
    let sent = answered
    const before = answered
    const save = async (server: Running, stop: AbortSignal) => {
      while (!stop.aborted) {
        const name = `Site ${++sent}`
        const ai = { baseUrl: `http://127.0.0.1:${10_000 + (sent % 1000)}`, apiKey: `key of ${name}` }
        const { status } = await ask(server, token, 'PUT', '/api/settings', { general: { siteName: name }, ai })
        if (status === 200) answered = sent
      }
    }
    const faults = await round(signal, save, { hasStarted: () => answered > before })
    const { body } = await ask(await running(), token, 'GET', '/api/settings')
    const number = Number((body.general as { siteName: string }).siteName.replace(/^Site /, '')) || 0
    expect(number).toBeGreaterThanOrEqual(answered)
    if (number > 0)
      expect(body.ai).toMatchObject({ hasKey: true, baseUrl: `http://127.0.0.1:${10_000 + (number % 1000)}` })
    const revisions = await site.read(`SELECT "version" FROM "revisions" WHERE "entityType" = 'Setting'`)
    expect(revisions).toHaveLength(body.version)
    expect(faults).toEqual([])
    answered = number
  }
  expect(answered).toBeGreaterThan(0)
}, 600_000)

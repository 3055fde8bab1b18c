import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { aSite, type Site } from '../crash.ts'
import { type HostileFile, honestFiles, KINDS, randomFrom, reportedFiles, spoilt } from '../hostile.ts'
import { startServer } from '../process.ts'
import { aForm, ask, signIn, until } from '../faults/site.ts'

/** Number of corrupted versions of each file: one of each kind, or more, with other contents, in a longer run. */
const RUNS = Number(process.env.HOSTILE_RUNS ?? KINDS.length)
const SEED = Number(process.env.HOSTILE_SEED ?? 7)
/** The longest that any request may be delayed by a file that somebody else has sent, in milliseconds. */
const MAX_WAIT_MS = 1000

describe('class 16: untrusted files', () => {
  test('are parsed only in processes that can be killed', () => {
    const src = join(import.meta.dirname, '../../src')
    const parsers = /^import (?!type).*from '(sharp|mediabunny|file-type|yauzl|saxes)'/m
    const names = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!test)\.ts$/.test(name))
    const texts = new Map(
      names.map((name) => [name, readFileSync(join(src, name), 'utf8').replaceAll(/\{[^}]*\} from/g, 'some from')]),
    )
    const parsing = names.filter((name) => parsers.test(texts.get(name) ?? ''))
    const jobs = new Set(['assets/jobs.ts', 'ai/previewJob.ts', 'imports/readJob.ts'])
    const inside = new Set([
      ...jobs,
      'assets/fileTypes.ts',
      'assets/images.ts',
      'assets/audioVideo.ts',
      'assets/stripMetadata.ts',
      'imports/encoding.ts',
      'imports/table.ts',
      'imports/workbook.ts',
    ])
    expect(parsing.filter((name) => !inside.has(name))).toEqual([])
    const importing = names
      .filter((name) => !inside.has(name))
      .filter((name) =>
        [...(texts.get(name) ?? '').matchAll(/^import (?!type).*from '(\.[^']+)'/gm)].some(([, path = '']) =>
          inside.has(relative(src, resolve(src, dirname(name), path))),
        ),
      )
    expect(importing).toEqual([])
  })

  let site: Site
  let idle: Site
  beforeAll(async () => {
    site = await aSite()
    idle = await aSite()
  })
  afterAll(async () => {
    await site.remove()
    await idle.remove()
  })

  test('neither delay other requests nor crash the server, however corrupted', async () => {
    const server = (site.server = await startServer(site.env))
    const token = await signIn(server)
    const honest = await honestFiles()
    const random = randomFrom(SEED)
    const files = [...reportedFiles(), ...honest.flatMap((file) => spoilt(file, RUNS, random))]
    const watching = watch(`${server.url}/healthz`)
    // A server without any load, to compare with: its delays are caused by the machine alone.
    const other = (idle.server = await startServer(idle.env))
    const comparing = watch(`${other.url}/healthz`)
    const odd: string[] = []
    const upload = ({ name, content }: HostileFile) => {
      const answered = async () => {
        const answer = await ask(server, token, 'POST', '/api/assets', aForm(content, name))
        // If the machine is too busy to tell what the file costs, the response is 503 and the file is sent again.
        return answer.status !== 503 && answer
      }
      return until(`${name} is taken or refused`, answered)
    }
    const send = async (file: HostileFile) => {
      const { status } = await upload(file)
      if (![201, 400, 413, 415].includes(status)) odd.push(`${file.name}: ${status}`)
    }
    const left = files.values()
    const sender = async () => {
      for (const file of left) await send(file)
    }
    await Promise.all([sender(), sender(), sender()])
    await until('all of them are ready or have failed', () => nothingWaits(site))
    const [{ longest, answers }, control] = [await watching.end(), await comparing.end()]
    const maxWaitMs = MAX_WAIT_MS + control.longest
    expect({ odd, longest: longest < maxWaitMs ? 'short' : longest }).toEqual({ odd: [], longest: 'short' })
    expect(answers).toBeGreaterThan(10)
    for (const file of honest) {
      const { _id } = (await upload(file)).body
      const asset = async () => (await ask(server, token, 'GET', `/api/assets/${_id}`)).body
      await until(`${file.name} is ready`, async () => (await asset()).status === 'READY')
    }
    expect(await server.end()).toMatchObject({ code: 0 })
    site.server = undefined
  })
})

const nothingWaits = async ({ read }: Site): Promise<boolean> =>
  (await read(`SELECT "_id" FROM "assets" WHERE "status" IN ('PENDING', 'PROCESSING')`)).length === 0

/** Requests a URL again and again from its own thread, and records the longest response time. */
function watch(url: string): { end: () => Promise<{ longest: number; answers: number }> } {
  const code = `
    const { parentPort, workerData } = require('node:worker_threads')
    let [longest, answers, ended] = [0, 0, false]
    parentPort.once('message', () => (ended = true))
    const ask = async () => {
      while (!ended) {
        const began = performance.now()
        await fetch(workerData, { signal: AbortSignal.timeout(60_000) }).then((answer) => answer.text())
        longest = Math.max(longest, performance.now() - began)
        answers++
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      parentPort.postMessage({ longest, answers })
    }
    ask()`
  const worker = new Worker(code, { eval: true, workerData: url })
  onTestFinished(async () => void (await worker.terminate()))
  return {
    end: () =>
      new Promise((ended, failed) => {
        worker.once('message', ended).once('error', failed)
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
        worker.postMessage('end')
      }),
  }
}

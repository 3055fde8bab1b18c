// `npm run bench -- --import [--write]`: imports a file with the maximum number of rows, exports the media, and imports
// that export.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_IMPORT_ROWS } from '@mokuroku/contract/imports'
import { type Running, startServer } from '../server/test/process.ts'
import { ADMIN } from './catalogue.ts'
import { writeBetween } from './report.ts'
import { titlesOf } from './titles.ts'

const REPORT = join(import.meta.dirname, '../docs/bench.md')
const [SAMPLE_MS, POLL_MS] = [200, 500]
const MB = 1024 * 1024

interface Import {
  _id: string
  state: string
  counts: Record<string, number>
}

/** Measures an import of 100,000 media, their export, and the import of that export, on a new server with SQLite. */
export async function measureImports(write: boolean): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-imports-'))
  const server = await startServer({ DATA_DIR: folder, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password })
  const lines = [
    '| step | seconds | rows a second | most memory, MB | longest wait of another call, ms |',
    '| --- | --: | --: | --: | --: |',
  ]
  const step = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const watched = watch(server)
    const began = performance.now()
    const result = await work()
    const seconds = (performance.now() - began) / 1000
    const { memory, wait } = await watched.end()
    const rate = Math.round(MAX_IMPORT_ROWS / seconds).toLocaleString('en')
    lines.push(`| ${name} | ${seconds.toFixed(0)} | ${rate} | ${(memory / MB).toFixed(0)} | ${wait.toFixed(0)} |`)
    console.log(lines.at(-1))
    return result
  }
  try {
    const call = await signedIn(server)
    const file = new File([tableOf(MAX_IMPORT_ROWS)], 'media.csv')
    const found = await step('read and check', () => checked(call, file))
    expectCounts(found, 'new')
    await step('apply', () => applied(call, found._id))
    const out = await step('export as CSV', async () => (await call('GET', '/api/media/export?format=csv')).blob())
    const again = await step('read and check the export', () => checked(call, new File([out], 'export.csv')))
    expectCounts(again, 'unchanged')
    console.log(`${(file.size / MB).toFixed(1)} MB in, ${(out.size / MB).toFixed(1)} MB out`)
  } finally {
    await server.end()
    rmSync(folder, { recursive: true, force: true })
  }
  if (write) writeBetween(REPORT, 'import', lines)
}

type Ask = (method: string, path: string, body?: FormData | object) => Promise<Response>

async function signedIn({ url }: Running): Promise<Ask> {
  const ask = async (token: string | undefined, method: string, path: string, body?: FormData | object) => {
    const isForm = body instanceof FormData
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  const { token } = (await (await ask(undefined, 'POST', '/api/auth/login', ADMIN)).json()) as { token: string }
  return (...given) => ask(token, ...given)
}

async function checked(call: Ask, file: File): Promise<Import> {
  const form = new FormData()
  form.append('entityType', 'Media')
  form.append('file', file)
  const { _id } = (await (await call('POST', '/api/imports', form)).json()) as Import
  return until(call, `/api/imports/${_id}?limit=1`, ['ready'])
}

async function applied(call: Ask, id: string): Promise<void> {
  await call('POST', `/api/imports/${id}/apply`, { duplicates: 'write' })
  await until(call, `/api/imports/${id}?limit=1`, ['done'])
}

async function until(call: Ask, path: string, states: string[]): Promise<Import> {
  for (;;) {
    const found = (await (await call('GET', path)).json()) as Import
    if (states.includes(found.state)) return found
    if (found.state === 'failed') throw new Error(JSON.stringify(found))
    await sleep(POLL_MS)
  }
}

function expectCounts({ counts }: Import, outcome: string): void {
  const count = (counts[outcome] ?? 0) + (outcome === 'new' ? (counts.duplicates ?? 0) : 0)
  if (count !== MAX_IMPORT_ROWS) throw new Error(`Not all rows are ${outcome}: ${JSON.stringify(counts)}`)
}

function tableOf(rows: number): string {
  const head =
    'mediaType,releaseDate,originalTitle,translations.en.title,translations.ja.title,translations.zh-Hans.title'
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = Array.from({ length: rows }, (_, at) => {
    const { en, ja, zh } = titlesOf(at)
    const day = new Date(Date.UTC(1960, 0, 1 + (at % 20_000))).toISOString().slice(0, 10)
    return ['ANIME', day, ja, en, ja, zh].map(quoted).join()
  })
  return [head, ...lines].join('\n')
}

/** Samples a server: the peak memory of its process, in bytes, and the slowest health check, in milliseconds. */
function watch({ url, pid }: Running) {
  let [memory, wait] = [0, 0]
  const stopping = new AbortController()
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      memory = Math.max(memory, Number(rss) * 1024)
      const asked = performance.now()
      await (await fetch(`${url}/healthz`)).text()
      wait = Math.max(wait, performance.now() - asked)
      await sleep(SAMPLE_MS)
    }
  }
  const looping = loop()
  return {
    end: async () => {
      stopping.abort()
      await looping
      return { memory, wait }
    },
  }
}

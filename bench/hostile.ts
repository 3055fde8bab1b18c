// `npm run bench -- --hostile [--write]`: measures the CPU time of calls without a sign-in, as in a denial-of-service
// attack. Each call is the most expensive one of its kind that the server accepts. Results are in docs/trust.md.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../server/test/process.ts'
import { cpuOf } from './load.ts'
import { writeBetween } from './report.ts'
import { HOSTILE, type HostileCall, LARGEST } from '../server/test/trust/hostile.ts'

/** How often each call is made, and how many calls run concurrently. */
const CALLS = 200
const CONCURRENCY = 4
const ASSETS = join(import.meta.dirname, '../console/dist/assets')
const REPORT = join(import.meta.dirname, '../docs/trust.md')
let callers = 0

/**
 * Measures every call on a new server that serves the built console, and prints a table. With `write`, also writes it
 * to docs/trust.md.
 */
export async function measureHostile(write: boolean): Promise<void> {
  execFileSync(process.execPath, [join(import.meta.dirname, '../scripts/build.ts')], { stdio: 'inherit' })
  const largest = largestFile()
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-hostile-'))
  // Every call comes from another IP address, as in a botnet, so that rate limits do not stop it.
  const env = { DATA_DIR: folder, TRUSTED_PROXIES: '127.0.0.1', ADMIN_EMAIL: 'admin@example.org' }
  const server = await startServer({ ...env, ADMIN_PASSWORD: 'correct horse battery' })
  const lines = ['| route | what is sent | answer | milliseconds |', '| --- | --- | --- | --- |']
  try {
    for (const template of HOSTILE) {
      const call = { ...template, path: template.path.replace(LARGEST, largest) }
      await press(server.port, call, 50)
      const before = cpuOf(server.pid)
      const status = await press(server.port, call, CALLS)
      const each = (10 * (cpuOf(server.pid) - before)) / CALLS
      lines.push(`| ${call.route} | ${call.what} | ${status} | ${each.toFixed(1)} |`)
      console.log(lines.at(-1))
    }
  } finally {
    await server.end()
    rmSync(folder, { recursive: true, force: true })
  }
  if (write) writeBetween(REPORT, 'hostile', lines)
}

/** The name of the largest JavaScript file of the built console. */
function largestFile(): string {
  const files = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
  const sizeOf = (name: string) => statSync(join(ASSETS, name)).size
  return files.toSorted((one, two) => sizeOf(two) - sizeOf(one))[0] ?? ''
}

async function press(port: number, call: HostileCall, count: number): Promise<number> {
  let [left, status] = [count, 0]
  const loop = async () => {
    while (left-- > 0) status = await send(port, call)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, loop))
  return status
}

function send(port: number, { method = 'GET', path, headers = {}, body: template }: HostileCall): Promise<number> {
  const body = template?.replace('{each}', `somebody${callers}`)
  const forwarded = `198.18.${Math.floor(++callers / 250) % 250}.${callers % 250}`
  const all = {
    'x-forwarded-for': forwarded,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, method, path, headers: all, agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    // If a call is refused before its body is read, the server may close the connection while it is being sent.
    call.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve(0) : reject(error),
    )
    call.end(body)
  })
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const AUDIT = path.join(import.meta.dirname, 'audit.ts')

/** Runs the audit against a fake registry on loopback. Returns its exit code and output. */
async function audited(answer: RequestListener): Promise<{ code: unknown; said: string }> {
  const cache = mkdtempSync(path.join(tmpdir(), 'mokuroku-npm-'))
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  try {
    // A separate npm cache, because npm caches advisories.
    const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache }
    const child = spawn(process.execPath, [AUDIT], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
    const [code] = (await once(child, 'close')) as [unknown]
    return { code, said: said.trim() }
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(cache, { recursive: true, force: true })
  }
}

const advising =
  (severity: string): RequestListener =>
  ({ url }, response) => {
    if (!url?.includes('advisories')) return void response.writeHead(404).end('{}')
    const advisory = { id: 1, url: 'https://example.org/1', title: 'A hole', severity, vulnerable_versions: '*' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ fastify: [{ ...advisory, cwe: [], cvss: { score: 8, vectorString: null } }] }))
  }

// Concurrent, because one of them waits for a timeout.
test.concurrent('fails on a high advisory for a shipped package, and names the package', async () => {
  const { code, said } = await audited(advising('high'))
  expect({ code, said }).toEqual({ code: 1, said: expect.stringMatching(/^fastify .*: high$/m) })
})

test.concurrent('passes on a low advisory', async () => {
  expect(await audited(advising('low'))).toEqual({ code: 0, said: '0 packages with high or critical advisories' })
})

test.concurrent.each<[string, RequestListener]>([
  ['refuses', (_, response) => void response.writeHead(405).end()],
  ['hangs up', ({ socket }) => void socket.destroy()],
  ['no value', () => undefined],
])('skips the audit and says so if the registry is unreachable: %s', async (_, answer) => {
  expect(await audited(answer)).toEqual({ code: 0, said: 'skipped: the advisory database cannot be reached' })
})

// The files in deploy/, as far as they can be checked without a cluster. A proxy is asked where it is installed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from './freePort.ts'
import { root } from './locked.ts'

const read = (name: string) => readFileSync(path.join(root, name), 'utf8')
const isInstalled = (program: string) => spawnSync(program, ['-v']).error === undefined

test('every variable that the deployments set is one of the server, and documented', () => {
  const variables = [...read('server/src/env.ts').matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name)
  const [, table = ''] = /^## Configure$(.*?)^## /ms.exec(read('README.md')) ?? []
  const cells = [...table.matchAll(/^\|[^|]+\|/gm)].join(' ')
  const documented = new Set(cells.match(/\b[A-Z][A-Z0-9_]+\b/g))
  // The demo's own switch.
  expect(variables.filter((name) => !documented.has(name ?? ''))).toEqual(['DEMO'])
  const [compose, cluster, kubernetes, unit] = [
    read('compose.yaml'),
    read('deploy/compose.cluster.yaml').split(/^services:$/m)[0] ?? '',
    read('deploy/kubernetes.yaml'),
    read('deploy/mokuroku.service'),
  ]
  const set = [
    ...[...`${compose}${cluster}${kubernetes}`.matchAll(/^ +([A-Z][A-Z0-9_]+): /gm)].map(([, name]) => name),
    ...[...kubernetes.matchAll(/--from-literal=([A-Z0-9_]+)=/g)].map(([, name]) => name),
    ...[...(/^Environment=(.+)$/m.exec(unit)?.[1]?.matchAll(/\b([A-Z_]+)=/g) ?? [])].map(([, name]) => name),
  ]
  expect(set.length).toBeGreaterThan(20)
  expect(set.filter((name) => name !== 'NODE_ENV' && !variables.includes(name))).toEqual([])
})

/** Runs a proxy's own check of a configuration, with the certificate of the tests. */
function checked(
  name: string,
  program: string,
  args: (file: string, folder: string) => string[],
  wrap = (text: string) => text,
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-deploy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [key, certificate] = [read('server/test/tls/server.key'), read('server/test/tls/server.pem')]
  writeFileSync(path.join(folder, 'pair.pem'), certificate + key)
  const file = path.join(folder, name)
  // Without the folder, whose name would have to be quoted if it has a space.
  writeFileSync(file, wrap(read(`deploy/${name}`).replaceAll(/\/etc\/ssl\/[\w/.]+/g, 'pair.pem')))
  const { status, stdout, stderr } = spawnSync(program, args(file, folder), {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, HOME: folder },
  })
  return { status, output: `${stdout}${stderr}` }
}

test.runIf(isInstalled('nginx'))('nginx accepts its configuration', () => {
  const inHttp = (text: string) =>
    `pid nginx.pid; events {} http { access_log off; ${text.replaceAll('listen 443', 'listen 8443').replaceAll('listen 80;', 'listen 8080;')} }`
  const args = (file: string, folder: string) => ['-t', '-p', folder, '-e', 'stderr', '-c', file]
  expect(checked('nginx.conf', 'nginx', args, inHttp)).toMatchObject({ status: 0 })
})

// Caddy waits three seconds. Nothing answers for a machine that has lost its power, and nginx would wait a minute.
test('nginx and HAProxy try the next server soon if one does not answer to a new connection', () => {
  expect(read('deploy/nginx.conf')).toMatch(/^ +proxy_connect_timeout 2s;$/m)
  expect(read('deploy/haproxy.cfg')).toMatch(/^ +timeout connect 2s$/m)
})

test.runIf(isInstalled('haproxy'))('HAProxy accepts its configuration', () => {
  expect(checked('haproxy.cfg', 'haproxy', (file) => ['-c', '-f', file])).toMatchObject({ status: 0 })
})

/**
 * A server whose database is away, so that it is not ready, and one that is down, behind a proxy: what the proxy answers
 * to calls, which differ.
 */
async function answersOfUnready(name: string, program: string, args: (file: string) => string[], port: number) {
  let checks = 0
  const server = createServer(({ url }, response) => {
    if (url !== '/api/media') checks += 1
    response.writeHead(url === '/healthz' ? 200 : 503).end('The database is unavailable.')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = mkdtempSync(path.join(tmpdir(), 'mokuroku-deploy-'))
  const file = path.join(folder, name)
  const down = `127.0.0.1:${await freePort()}`
  const text = read(`deploy/${name}`)
    .replaceAll('10.0.0.11:3000', down)
    .replaceAll(/10\.0\.0\.1[23]:3000/g, address)
    .replaceAll('one:3000 two:3000 three:3000', `${down} ${address}`)
    .replace(/bind .*/, `bind 127.0.0.1:${port}`)
    .replace(/^:8080/m, `:${port}`)
    .replace('lb_try_duration 5s', 'lb_try_duration 1s')
  writeFileSync(file, name === 'Caddyfile.cluster' ? `{\n\tadmin off\n}\n${text}` : text)
  const child = spawn(program, args(file), { env: { ...process.env, HOME: folder }, stdio: 'ignore' })
  onTestFinished(() => {
    child.kill()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const ask = (_?: unknown, at = 0) =>
    fetch(`http://127.0.0.1:${port}/api/media`, { method: at % 2 ? 'POST' : 'GET' }).then((answer) => answer.text())
  const isUp = () =>
    ask().then(
      () => true,
      () => false,
    )
  await expect.poll(isUp).toBe(true)
  // The proxy asks twice each time. The third time, it knows what was answered before.
  await expect.poll(() => checks).toBeGreaterThan(4)
  return new Set(await Promise.all(Array.from({ length: 8 }, ask)))
}

test.runIf(isInstalled('haproxy'))('HAProxy lets servers that are not ready say why', async () => {
  const args = (file: string) => ['-db', '-f', file]
  const answers = await answersOfUnready('haproxy.cfg', 'haproxy', args, await freePort())
  expect(answers).toEqual(new Set(['The database is unavailable.']))
})

test.runIf(isInstalled('caddy'))('Caddy lets servers that are not ready say why', async () => {
  const args = (file: string) => ['run', '--adapter', 'caddyfile', '--config', file]
  const answers = await answersOfUnready('Caddyfile.cluster', 'caddy', args, await freePort())
  expect(answers).toEqual(new Set(['The database is unavailable.']))
})

test.runIf(isInstalled('caddy')).for(['Caddyfile', 'Caddyfile.cluster'])('Caddy accepts %s', (name) => {
  const args = (file: string) => ['validate', '--adapter', 'caddyfile', '--config', file]
  expect(checked(name, 'caddy', args)).toMatchObject({ status: 0 })
})

import { expect, onTestFinished, test } from 'vitest'
import { ADMIN, aSite } from '../crash.ts'
import { aSound } from '../files.ts'
import { type Running, startServer } from '../process.ts'
import { repeated } from '../repeated.ts'
import { aForm, ask, signIn, until } from './site.ts'

async function running(delay: string): Promise<Running> {
  const site = await aSite(undefined)
  onTestFinished(site.remove)
  const server = await startServer({ ...site.env, SHUTDOWN_DELAY: delay, LOG_LEVEL: 'silent' })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return server
}

test('no request fails during shutdown behind a proxy that checks /readyz', async () => {
  const server = await running('300')
  const { headers } = await fetch(`${server.url}/healthz`)
  // Proxies close idle connections earlier than that: Caddy after two minutes, nginx and others after one.
  expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', 'timeout=125'])
  const statuses: number[] = []
  const senders = 4
  const stopSending = repeated(senders, async () => statuses.push((await fetch(`${server.url}/api/media`)).status))
  void server.end()
  await until('/readyz says no', async () => (await fetch(`${server.url}/readyz`)).status === 503)
  const before = statuses.length
  // A proxy only checks now and then, and the requests that it has already accepted must not fail.
  const login = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  expect({ status: login.status, connection: login.headers.get('connection') }).toEqual({
    status: 200,
    connection: 'close',
  })
  await until('more is answered', async () => statuses.length > before + senders)
  await stopSending()
  expect(await (await fetch(`${server.url}/readyz`)).json()).toEqual({ status: 'stopping' })
  // Every request got a response: 401, since nobody is signed in.
  expect(new Set(statuses)).toEqual(new Set([401]))
})

test('answers every request that it accepts until the end of the shutdown', async () => {
  const server = await running('1')
  const [statuses, faults] = [new Set<number>(), new Set<string>()]
  const stopSending = repeated(16, async () => {
    try {
      const { status } = await fetch(`${server.url}/api/media`)
      statuses.add(status)
    } catch (error) {
      faults.add(((error as Error).cause as { code: string }).code)
    }
  })
  await until('requests are answered', async () => statuses.size > 0)
  const asked = performance.now()
  expect(await server.end()).toMatchObject({ code: 0, errors: '' })
  expect(performance.now() - asked).toBeGreaterThan(900)
  await stopSending()
  expect([...statuses]).toEqual([401])
  // Closing an idle connection fails no request, since a proxy then asks another server.
  for (const fault of faults) expect(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']).toContain(fault)
})

test('sends a file to its end that is being downloaded', async () => {
  const server = await running('0')
  const token = await signIn(server)
  // Larger than what the buffers of the connection hold.
  const sound = aSound(4000)
  const { body } = await ask(server, token, 'POST', '/api/assets', aForm(sound, 'long.wav'))
  // On a busy machine, an upload is answered before the file is processed.
  const asset = async () => (await ask(server, token, 'GET', `/api/assets/${body._id}`)).body
  await until('the file is ready', async () => (await asset()).status === 'READY')
  const answer = await fetch(server.url + String(body.url))
  const ended = server.end()
  await until('no new connection is accepted', () =>
    fetch(`${server.url}/healthz`).then(
      () => false,
      () => true,
    ),
  )
  expect((await answer.arrayBuffer()).byteLength).toBe(sound.length)
  expect(await ended).toMatchObject({ code: 0, errors: '' })
})

test('a second SIGTERM does not shorten the shutdown delay', async () => {
  const server = await running('3')
  const asked = performance.now()
  const ended = server.end()
  await until('/readyz says no', async () => (await fetch(`${server.url}/readyz`)).status === 503)
  void server.end()
  expect(await ended).toMatchObject({ code: 0, errors: '' })
  expect(performance.now() - asked).toBeGreaterThan(2900)
})

test('Ctrl-C skips the shutdown delay', async () => {
  const server = await running('300')
  expect(await server.end('SIGINT')).toMatchObject({ code: 0, errors: '' })
})

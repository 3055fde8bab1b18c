import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fetchPublic, isPublic, allowedInternalHosts } from './sources/publicFetch.ts'

let host: string
let reply: (response: ServerResponse, path: string) => void
const paths: string[] = []
const server = createServer((request, response) => {
  paths.push(request.url ?? '')
  reply(response, request.url ?? '')
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const ask = (address: string, maxBytes = 1000) =>
  fetchPublic(address, { signal: new AbortController().signal, maxBytes })

test.each([
  '127.0.0.1',
  '127.1.2.3',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::127.0.0.1',
  '::7f00:1',
  '::a00:1',
  '168.63.129.16',
  '::ffff:168.63.129.16',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  'nonsense',
])('class 11: %s is not a public address', (address) => {
  expect(isPublic(address)).toBe(false)
})

test.each(['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111'])('%s is a public address', (address) => {
  expect(isPublic(address)).toBe(true)
})

test.each([
  ['http://127.0.0.1/', 'outside.internal'],
  ['http://2130706433/', 'outside.internal'],
  ['http://0x7f.1/', 'outside.internal'],
  ['http://0177.0.0.1/', 'outside.internal'],
  ['http://[::1]/', 'outside.internal'],
  ['http://[::ffff:127.0.0.1]/', 'outside.internal'],
  ['http://169.254.169.254/latest/meta-data/', 'outside.internal'],
  ['http://localhost/', 'outside.internal'],
  ['file:///etc/passwd', 'outside.address'],
  ['ftp://example.org/', 'outside.address'],
  ['http://user:password@example.org/', 'outside.address'],
  ['//nothing', 'outside.address'],
])('refuses to fetch %s: %s', async (address, code) => {
  await expect(ask(address)).rejects.toMatchObject({ status: 502, code })
})

test('class 11: refuses to connect to a host name that resolves to an internal address', async () => {
  await expect(ask(`http://localhost:${host.split(':')[1]}/by-name`)).rejects.toMatchObject({
    code: 'outside.internal',
  })
  expect(paths).not.toContain('/by-name')
})

test('class 11: follows redirects, but not to an internal address and not endlessly', async () => {
  allowedInternalHosts.add(host)
  reply = (response, path) => {
    if (path === '/start') response.writeHead(302, { location: '/end' }).end()
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end()
    else if (path === '/inside') response.writeHead(301, { location: 'http://169.254.169.254/' }).end()
    else if (path === '/file') response.writeHead(307, { location: 'file:///etc/passwd' }).end()
    else response.end('the end')
  }
  expect((await ask(`http://${host}/start`)).body.toString()).toBe('the end')
  await expect(ask(`http://${host}/loop`)).rejects.toMatchObject({ code: 'outside.redirect' })
  await expect(ask(`http://${host}/inside`)).rejects.toMatchObject({ code: 'outside.internal' })
  await expect(ask(`http://${host}/file`)).rejects.toMatchObject({ code: 'outside.address' })
  allowedInternalHosts.delete(host)
})

test('class 16: stops reading a response that is too large, with or without a Content-Length', async () => {
  allowedInternalHosts.add(host)
  reply = (response, path) => {
    if (path === '/said') response.writeHead(200, { 'content-length': '5000' })
    response.write('x'.repeat(5000))
  }
  await expect(ask(`http://${host}/said`)).rejects.toMatchObject({ code: 'outside.large' })
  await expect(ask(`http://${host}/unsaid`)).rejects.toMatchObject({ code: 'outside.large' })
  allowedInternalHosts.delete(host)
})

test('reports a host that refuses or drops the connection as unreachable', async () => {
  allowedInternalHosts.add(host).add('127.0.0.1:1')
  await expect(ask('http://127.0.0.1:1/')).rejects.toMatchObject({ code: 'outside.unreachable' })
  reply = (response) => {
    response.writeHead(200).write('the beginning')
    setTimeout(() => response.destroy(), 20)
  }
  await expect(ask(`http://${host}/`)).rejects.toMatchObject({ code: 'outside.unreachable' })
  allowedInternalHosts.delete(host)
})

// A load balancer for the load test.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'

interface Server {
  port: number
}

/**
 * Starts a round-robin proxy for `servers`, which may change at any time. If a server does not start to respond,
 * retries idempotent calls (GET, PUT) and refused connections on the next one. Resolves to its URL and a function that
 * stops it.
 */
export async function startProxy(servers: readonly Server[]): Promise<{ url: string; close(): Promise<void> }> {
  let turn = 0
  const downUntil = new Map<Server, number>()
  const pass = (from: IncomingMessage, to: ServerResponse, body: Buffer, tries: number): void => {
    // Skip a server for a second after a failure, unless all have failed.
    const up = servers.filter((each) => (downUntil.get(each) ?? 0) < performance.now())
    const among = up.length > 0 ? up : servers
    const server = among[turn++ % among.length]
    const passed = request({
      host: '127.0.0.1',
      port: server?.port,
      path: from.url,
      method: from.method,
      headers: from.headers,
    })
    passed.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => to.destroy())
      answer.pipe(to)
    })
    passed.on('error', (error: NodeJS.ErrnoException) => {
      if (server) downUntil.set(server, performance.now() + 1000)
      if (to.headersSent) return void to.destroy()
      const isSafe = error.code === 'ECONNREFUSED' || from.method === 'GET' || from.method === 'PUT'
      if (isSafe && tries > 0) return pass(from, to, body, tries - 1)
      to.writeHead(502).end()
    })
    to.on('close', () => passed.destroy())
    passed.end(body)
  }
  // Idle connections stay open, so that none closes while a call is on its way.
  const proxy = createServer({ keepAliveTimeout: 120_000 }, (from, to) => {
    const parts: Buffer[] = []
    from.on('data', (part: Buffer) => parts.push(part))
    from.on('end', () => pass(from, to, Buffer.concat(parts), servers.length))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')
  const close = async (): Promise<void> => {
    proxy.closeAllConnections()
    await new Promise((closed) => proxy.close(closed))
  }
  return { url: `http://127.0.0.1:${address.port}`, close }
}

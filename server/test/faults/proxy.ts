// A proxy between the server and its database, which can fail.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Forwards connections to the host of `to`. `url` is the same database through the proxy. */
export async function aProxy(to: string) {
  const target = new URL(to)
  const sockets = new Set<Socket>()
  let isSilent = false
  let isSilentToNew = false
  let held = 0
  let server: Server | undefined
  let port = 0

  function pass(client: Socket): void {
    const database = connect(Number(target.port), target.hostname)
    if (isSilentToNew) held += 1
    const isHeld = isSilent || isSilentToNew
    for (const [from, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      if (isHeld) from.pause()
      from.on('data', (bytes) => other.write(bytes))
      from.on('error', () => undefined)
      from.once('close', () => {
        sockets.delete(from)
        other.destroy()
      })
      if (isHeld) from.pause()
    }
  }
  const listen = async (): Promise<void> => {
    server = createServer(pass).listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address !== null && typeof address !== 'string') port = address.port
  }
  await listen()
  const url = new URL(to)
  url.port = String(port)

  return {
    url: url.toString(),
    /** Closes all connections, and accepts no new ones. */
    down: async (): Promise<void> => {
      const closed = server && once(server, 'close')
      server?.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    /** Closes all connections; new ones are forwarded. */
    cut: (): void => {
      for (const socket of sockets) socket.destroy()
    },
    up: async (): Promise<void> => {
      if (!server?.listening) await listen()
    },
    /** Forwards nothing any more, without closing connections. */
    hang: (): void => {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    /** New connections get no response; existing ones continue. */
    hangNew: (): void => {
      isSilentToNew = true
    },
    /** The number of connections held up by `hangNew`. */
    held: (): number => held,
    /** Continues forwarding, for connections that were not given up meanwhile. */
    pass: (): void => {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
  }
}

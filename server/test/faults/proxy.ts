// What lies between the server and its database, and can fail.
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Passes connections on to the host of `to`. `url` is its address with the proxy in between. */
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
    /** Every connection is cut, and none is taken. */
    down: async (): Promise<void> => {
      const closed = server && once(server, 'close')
      server?.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
    up: listen,
    /** Nothing gets through any more, and nobody is told. */
    hang: (): void => {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    /** New connections get no answer; those that are there go on. */
    hangNew: (): void => {
      isSilentToNew = true
    },
    /** How many connections `hangNew` has held up. */
    held: (): number => held,
    /** What has not been given up meanwhile goes on. */
    pass: (): void => {
      isSilent = false
      for (const socket of sockets) socket.resume()
    },
  }
}

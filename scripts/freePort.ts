// Finds a port for a server that a test or benchmark starts.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/**
 * Above 10080, the last port to which `fetch` and browsers refuse to connect
 * (https://fetch.spec.whatwg.org/#port-blocking), and below the ephemeral ports, which the system could give to another
 * connection before the server binds the port.
 */
export const FIRST = 10_081
const COUNT = 11_000
const TRIES = 100

/**
 * A free port on 127.0.0.1, which no other process, and no later call, gets while this process runs: for each port, it
 * holds the one that is `COUNT` above. Throws if none is found.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, FIRST + COUNT)
    const lock = await listening(port + COUNT)
    if (!lock) continue
    const probe = await listening(port)
    if (!probe) {
      lock.close()
      continue
    }
    await new Promise((closed) => probe.close(closed))
    lock.unref()
    return port
  }
  throw new Error('No free port on 127.0.0.1')
}

async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}

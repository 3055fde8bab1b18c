// Finds a port for a server that a test or benchmark starts.
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports, which the system could give to another connection before the server binds the port. */
const [FIRST, BEHIND] = [10_000, 32_000]
const TRIES = 100

/** A free port on 127.0.0.1. Throws if none is found. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const port = randomInt(FIRST, BEHIND)
    const probe = createServer().listen(port, '127.0.0.1')
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    await new Promise((closed) => probe.close(closed))
    return port
  }
  throw new Error('No free port on 127.0.0.1')
}

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { endStreams } from '#access/openStreams.ts'

/** How long a stop waits for the answers that are due, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5000

let leaving = false

/** From here on `/readyz` says no and every answer closes its connection, so that a proxy sends nobody here any more. */
export const leave = (): void => void (leaving = true)

export const isLeaving = (): boolean => leaving

/**
 * At a stop nobody can connect any more, and so a proxy asks another server; what still comes over open connections is
 * answered. When nothing is due, all are cut.
 */
export function endGently(app: FastifyInstance): void {
  const answers = new Set<ServerResponse>()
  app.addHook('onRequest', (_, { raw }, done) => {
    answers.add(raw)
    // Static files, multipart and Fastify itself each listen for the end of an answer: a few more than Node expects.
    raw.setMaxListeners(30)
    raw.once('close', () => answers.delete(raw))
    done()
  })
  // A stream that has begun is not waited for: it may have no end.
  const isDue = (answer: ServerResponse) => !answer.headersSent || (answer.writableEnded && !answer.writableFinished)
  app.addHook('preClose', async () => {
    endStreams()
    app.server.close()
    const deadline = performance.now() + CLOSE_TIMEOUT_MS
    while ([...answers].some(isDue) && performance.now() < deadline) await sleep(10)
    // More than once: a connection that comes just now and sends nothing would keep the server open for ever.
    const cut = setInterval(() => app.server.closeAllConnections(), 50).unref()
    app.server.once('close', () => clearInterval(cut))
  })
}

import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { endStreams } from '#access/openStreams.ts'

/** How long a shutdown waits for pending responses, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5000

let leaving = false

/**
 * From now on, `/readyz` fails and every response closes its connection, so that a proxy sends no more requests here.
 */
export const leave = (): void => void (leaving = true)

export const isLeaving = (): boolean => leaving

/**
 * Graceful shutdown. New connections are refused, so that a proxy tries another server; requests on open connections
 * are still answered. When no response is pending, files that are being sent included, all connections are closed.
 */
export function endGently(app: FastifyInstance): void {
  const answers = new Set<ServerResponse>()
  app.addHook('onRequest', (_, { raw }, done) => {
    answers.add(raw)
    // Static files, multipart and Fastify itself each listen for the end of a response: more listeners than Node
    // expects.
    raw.setMaxListeners(30)
    raw.once('close', () => answers.delete(raw))
    done()
  })
  // Event streams may never end by themselves: `endStreams` has ended them.
  const isDue = (answer: ServerResponse) => !answer.writableFinished && !isEventStream(answer)
  app.addHook('preClose', async () => {
    endStreams()
    app.server.close()
    const deadline = performance.now() + CLOSE_TIMEOUT_MS
    while ([...answers].some(isDue) && performance.now() < deadline) await sleep(10)
    // Repeatedly: otherwise, a connection that was just accepted and sends nothing would keep the server open forever.
    const cut = setInterval(() => app.server.closeAllConnections(), 50).unref()
    app.server.once('close', () => clearInterval(cut))
  })
}

const isEventStream = (answer: ServerResponse): boolean =>
  String(answer.getHeader('content-type')).startsWith('text/event-stream')

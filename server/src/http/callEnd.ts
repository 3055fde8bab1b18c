import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { replacedBy } from './unreadable.ts'

/** The status of a call whose client disconnected before the response began, as in the logs of nginx. */
const DISCONNECTED = 499

/**
 * Calls `onStart` when a call arrives, and the function that it returns, with the status, when the response was sent or
 * the client has disconnected. `onResponse` of Fastify does not run for the latter, nor for most event streams. Call
 * this before adding hooks that refuse calls.
 */
export function onCallEnd(
  app: FastifyInstance,
  onStart: (request: FastifyRequest, reply: FastifyReply) => (status: number) => void,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    const ended = onStart(request, reply)
    reply.raw.once('close', () => ended(statusOf(reply)))
    done()
  })
}

/** The status of a call that has ended. */
export const statusOf = ({ raw, statusCode }: FastifyReply): number =>
  raw.headersSent ? statusCode : (replacedBy(raw) ?? DISCONNECTED)

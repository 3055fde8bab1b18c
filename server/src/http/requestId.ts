import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** A request id that callers or proxies may set: it is written to the log and to the response. */
const WELL_FORMED = /^[\w.:/+=@~-]{1,128}$/

/** The header of a request and of its response. */
export const REQUEST_ID = 'x-request-id'

/** The id of a request: the one it came with if that is well-formed, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID]
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID()
}

/** Sets the request id on every response. */
export function answerRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => nameRequest(reply, request.id))
}

/** Sets the request id on a response that no hook sees. */
export const nameRequest = (reply: FastifyReply, id: string): void => void reply.header(REQUEST_ID, id)

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** What a caller or a proxy may call a request: it goes into the log, and into the answer. */
const WELL_FORMED = /^[\w.:/+=@~-]{1,128}$/

/** The header of a request and of its answer. */
export const REQUEST_ID = 'x-request-id'

/** The id of a request: the one that it came with, where that is well-formed, or a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[REQUEST_ID]
  return typeof given === 'string' && WELL_FORMED.test(given) ? given : randomUUID()
}

/** Names the request in every answer. */
export function answerRequestId(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => nameRequest(reply, request.id))
}

/** Names the request in an answer that no hook sees. */
export const nameRequest = (reply: FastifyReply, id: string): void => void reply.header(REQUEST_ID, id)

import type { FastifyInstance } from 'fastify'
import { clientOf } from '#access/client.ts'
import { onCallEnd } from './callEnd.ts'

/**
 * Logs a line for every call when it ends, with its request id. URLs are logged without their query, which contains
 * search texts and signatures of private files.
 */
export function logAccess(app: FastifyInstance, userOf: (request: object) => string | undefined): void {
  onCallEnd(app, (request, reply) => {
    // A closed connection has no address.
    const { address, userAgent } = clientOf(request)
    return (status) =>
      request.log.info(
        {
          method: request.method,
          path: request.url.split('?', 1)[0],
          status,
          milliseconds: Math.round(reply.elapsedTime * 10) / 10,
          bytes: Number(reply.getHeader('content-length') ?? 0) || undefined,
          address,
          userAgent,
          user: userOf(request),
        },
        'answered',
      )
  })
}

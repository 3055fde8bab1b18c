import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { reasonText } from '@mokuroku/contract/reasons'
import { REQUEST_ID, requestIdOf } from './requestId.ts'

/** How long the body of a request may take to arrive. */
const BODY_TIMEOUT_MS = 60_000
/** Uploads have no such limit: `receive` has its own, and permission is checked before the body is read. */
const FILE = /^(multipart\/form-data|application\/offset\+octet-stream)/

const REFUSALS: Record<string, [string, string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'timeout', reasonText('requestSlow')],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'tooLarge', reasonText('requestLarge')],
}

/**
 * How many responses of a connection may be due at a time. Node parses all requests that have arrived before it answers
 * one of them: a thousand small ones for large responses would keep everybody waiting.
 */
const MAX_PIPELINED = 20

/** The responses of each connection that are not complete, and the response to its last request. */
const exchanges = new WeakMap<Socket, { due: Set<ServerResponse>; last: ServerResponse }>()

/**
 * Responds to what cannot be parsed as HTTP with a refusal in JSON, and returns its status and request id. If the
 * refusal would be taken for the response to an earlier request, or for part of it, the connection is cut instead, and
 * undefined is returned, as it is if the socket is not writable any more.
 */
export function refuseUnreadable(
  { code = '' }: { code?: string },
  socket: Socket,
  request: Pick<IncomingMessage, 'headers'> = { headers: {} },
): { status: number; requestId: string } | undefined {
  if (code === 'ECONNRESET' || !socket.writable || !isNext(socket)) {
    socket.destroy()
    return undefined
  }
  const [status, name, message] = REFUSALS[code] ?? ['400 Bad Request', 'invalid', reasonText('malformed')]
  const requestId = requestIdOf(request)
  const body = JSON.stringify({ code: name, message, requestId })
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${body.length}`,
    `${REQUEST_ID}: ${requestId}`,
  ]
  socket.end(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
  return { status: Number.parseInt(status), requestId }
}

/** Whether a refusal of what arrives now would be the next response. */
function isNext(socket: Socket): boolean {
  const exchange = exchanges.get(socket)
  if (!exchange) return true
  const { due, last } = exchange
  return last.req.complete ? due.size === 0 : due.size === 1 && !last.headersSent
}

/** Cuts a connection that has sent more requests than a client sends before it has the responses. */
function noteExchange({ socket }: IncomingMessage, last: ServerResponse): void {
  const due = exchanges.get(socket)?.due ?? new Set()
  exchanges.set(socket, { due: due.add(last), last })
  if (due.size > MAX_PIPELINED) socket.destroy()
  last.once('close', () => due.delete(last))
}

/** The status of the refusal that a response was replaced by. */
const replaced = new WeakMap<ServerResponse, number>()
export const replacedBy = (response: ServerResponse): number | undefined => replaced.get(response)

/** Answers 408 when a body has not arrived within the limit, so that idle clients cannot hold connections. */
export function limitArrival(server: Server): void {
  server.on('request', (request, response) => {
    noteExchange(request, response)
    if (FILE.test(request.headers['content-type'] ?? '')) return
    const timer = setTimeout(() => {
      if (request.complete || response.headersSent) return
      const refusal = refuseUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, request.socket, request)
      if (refusal) replaced.set(response, refusal.status)
    }, BODY_TIMEOUT_MS).unref()
    response.once('close', () => clearTimeout(timer))
  })
}

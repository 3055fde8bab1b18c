import type { IncomingMessage, Server } from 'node:http'
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
 * Responds to what cannot be parsed as HTTP with a refusal in JSON, and returns its status and request id; undefined if
 * the socket is not writable any more.
 */
export function refuseUnreadable(
  { code = '' }: { code?: string },
  socket: Socket,
  request: Pick<IncomingMessage, 'headers'> = { headers: {} },
): { status: number; requestId: string } | undefined {
  if (code === 'ECONNRESET' || !socket.writable) {
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

/** Answers 408 when a body has not arrived within the limit, so that idle clients cannot hold connections. */
export function limitArrival(server: Server): void {
  server.on('request', (request, response) => {
    if (FILE.test(request.headers['content-type'] ?? '')) return
    const timer = setTimeout(() => {
      if (!request.complete && !response.headersSent)
        refuseUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, request.socket, request)
    }, BODY_TIMEOUT_MS).unref()
    response.once('close', () => clearTimeout(timer))
  })
}

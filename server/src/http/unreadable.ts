import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { reasonText } from '@mokuroku/contract/reasons'

/** How long the body of a call may take to arrive, in milliseconds. */
const ARRIVAL = 60_000
/** Files take as long as they take; who may not send one is told so before it is read. */
const FILE = /^(multipart\/form-data|application\/offset\+octet-stream)/

const REFUSALS: Record<string, [string, string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'timeout', reasonText('requestSlow')],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'tooLarge', reasonText('requestLarge')],
}

/** Answers bytes that are no HTTP in the form of every other refusal, as far as somebody is there to read it. */
export function refuseUnreadable({ code = '' }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, name, message] = REFUSALS[code] ?? ['400 Bad Request', 'invalid', reasonText('malformed')]
  const body = JSON.stringify({ code: name, message })
  const head = [`HTTP/1.1 ${status}`, 'content-type: application/json; charset=utf-8', `content-length: ${body.length}`]
  socket.end(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

/** Refuses a call whose body does not come to its end, so that nobody holds connections by saying nothing. */
export function limitArrival(server: Server): void {
  server.on('request', (request, response) => {
    if (FILE.test(request.headers['content-type'] ?? '')) return
    const timer = setTimeout(() => {
      if (!request.complete && !response.headersSent)
        refuseUnreadable({ code: 'ERR_HTTP_REQUEST_TIMEOUT' }, request.socket)
    }, ARRIVAL).unref()
    response.once('close', () => clearTimeout(timer))
  })
}

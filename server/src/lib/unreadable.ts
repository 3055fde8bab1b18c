import type { Socket } from 'node:net'

const REFUSALS: Record<string, [string, string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'timeout', 'This request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'tooLarge', 'This is too large to be sent.'],
}

/** Answers bytes that are no HTTP in the form of every other refusal, as far as somebody is there to read it. */
export function refuseUnreadable({ code = '' }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, name, message] = REFUSALS[code] ?? ['400 Bad Request', 'invalid', 'This request cannot be understood.']
  const body = JSON.stringify({ code: name, message })
  const head = [`HTTP/1.1 ${status}`, 'content-type: application/json; charset=utf-8', `content-length: ${body.length}`]
  socket.end(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

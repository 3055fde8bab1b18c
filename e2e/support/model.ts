// Fakes of a model server and an AI search service on loopback: POST /v1/chat/completions, streamed; POST /api/search
// with lines of type image and answer; and GET of the found images. Each test sets the next replies, including errors.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32, deflateSync } from 'node:zlib'

/** A text, or a special reply; `begin` is the text that is sent before that. */
export type Reply =
  | string
  | { status: number }
  /** Images, by title; only for the search. An image with an empty title answers 404 when it is fetched. */
  | { begin: string; images: readonly string[] }
  /** The connection is closed abruptly. */
  | { begin: string; breaks: true }
  /** Nothing more is sent until the client disconnects. */
  | { begin: string; hangs: true }

interface Asked {
  prompt: string
  isCancelled: boolean
}

export type ExternalServices = Awaited<ReturnType<typeof startExternalServices>>

export async function startExternalServices() {
  const replies: Record<'model' | 'search', Reply[]> = { model: [], search: [] }
  const asked: Record<'model' | 'search', Asked[]> = { model: [], search: [] }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'GET') return sendPicture(request, response)
    const service = request.url === '/api/search' ? 'search' : 'model'
    let body = ''
    for await (const part of request) body += String(part)
    const question = { prompt: body, isCancelled: false }
    asked[service].push(question)
    response.once('close', () => (question.isCancelled = !response.writableFinished)).on('error', () => undefined)
    const reply = replies[service].shift() ?? { status: 500 }
    if (typeof reply === 'object' && 'status' in reply) return void response.writeHead(reply.status).end('{}')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const text = typeof reply === 'string' ? reply : reply.begin
    for (const title of typeof reply === 'object' && 'images' in reply ? reply.images : []) {
      const url = `http://${request.headers.host}/pictures/${encodeURIComponent(title)}`
      response.write(`data: ${JSON.stringify({ type: 'image', data: [{ url, title }] })}\n\n`)
    }
    for (const piece of text.match(/[\s\S]{1,40}/g) ?? []) {
      response.write(
        `data: ${JSON.stringify(service === 'model' ? delta(piece) : { type: 'answer', data: piece })}\n\n`,
      )
      await sleep(2)
    }
    if (typeof reply === 'string' || 'images' in reply) response.end(service === 'model' ? 'data: [DONE]\n\n' : '')
    else if ('breaks' in reply) response.destroy()
    else await once(response, 'close')
  }

  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    searchUrl: `http://127.0.0.1:${port}/api/search`,
    asked,
    /** Sets the next replies of the model, one per request. */
    modelSays: (...next: Reply[]) => void (replies.model = next),
    searchSays: (...next: Reply[]) => void (replies.search = next),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Sends a portrait image whose colour depends on its title. */
function sendPicture({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const title = decodeURIComponent(url.split('/').at(-1) ?? '')
  if (!title) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'image/png' }).end(picture(400, 600, [(title.length * 53) % 256, 90, 140]))
}

/** A PNG of a single colour (W3C, PNG: signature, then IHDR, IDAT and IEND). */
function picture(width: number, height: number, colour: readonly number[]): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  const line = Buffer.from([0, ...Array.from({ length: width }, () => colour).flat()])
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

const delta = (content: string) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'lantern-1',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

/** An answer with a value as JSON, as models write it. */
export const jsonBlock = (value: unknown) => `Here it is.\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`

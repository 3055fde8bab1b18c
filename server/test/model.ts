// A model server on loopback: the protocol of an OpenAI-compatible endpoint (POST /v1/chat/completions, streamed), and
// its faults.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeEach } from 'vitest'

/** A request as it arrived. */
export interface Question {
  path: string
  headers: IncomingMessage['headers']
  model: string
  /** The instructions are ours; the prompt is data. */
  instructions: string
  prompt: string
  /** Whether it asks for the usage of tokens. */
  asksForUsage: boolean
  /** Whether the client disconnected before the answer was complete. */
  isCancelled: boolean
  /** Bytes of the answer written to the network so far. */
  sent: () => number
}

type Reply = (response: ServerResponse, question: Question) => Promise<void> | void

const USAGE = { prompt_tokens: 120, completion_tokens: 40, total_tokens: 160 }

const chunkOf = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'small', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`

const finishOf = (reason: string) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'small', choices: [{ index: 0, delta: {}, finish_reason: reason }] })}\n\n`

const head = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })

interface Saying {
  pieces?: number
  before?: Promise<void>
  usage?: object | null
  reason?: string
}

/**
 * Sends a text in chunks, as models do, with its token usage; `usage: null` omits that, as some endpoints do. The
 * last chunk waits for `before`.
 */
export const says =
  (text: string, { pieces = 4, before = Promise.resolve(), usage = USAGE, reason = 'stop' }: Saying = {}): Reply =>
  async (response) => {
    head(response).write(chunkOf({ role: 'assistant', content: '' }))
    const size = Math.max(1, Math.ceil(text.length / pieces))
    for (let at = 0; at < text.length; at += size) {
      if (at + size >= text.length) await before
      response.write(chunkOf({ content: text.slice(at, at + size) }))
    }
    response.write(finishOf(reason))
    if (usage) response.write(chunkOf({}, { choices: [], usage }))
    response.end('data: [DONE]\n\n')
  }

/** Responds with an error status, and a body that nobody may see. */
export const fails =
  (status: number, { headers = {}, message = 'org-42 sk-very-secret at 10.0.0.7 failed', code = '' } = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message, type: 'error', code } }))
  }

/** Sends the beginning, then an error event. */
export const sendsError =
  (text: string, error: unknown): Reply =>
  (response) => {
    if (text) head(response).write(chunkOf({ content: text }))
    else head(response)
    response.end(`data: ${JSON.stringify({ error })}\n\n`)
  }

/** Refuses requests for the usage of tokens, which not every endpoint knows. */
export const knowsNoUsage =
  (text: string): Reply =>
  (response, question) =>
    question.asksForUsage
      ? fails(400, { message: 'Unrecognized request argument supplied: stream_options' })(response, question)
      : says(text, { usage: null })(response, question)

/** Sends `"error": null` with every chunk. */
export const sendsNullError =
  (text: string): Reply =>
  (response) => {
    head(response).write(chunkOf({ content: text }, { error: null }))
    response.write(finishOf('stop').replace('}\n\n', ', "error": null}\n\n'))
    response.end('data: [DONE]\n\n')
  }

/** Sends the beginning, then drops the connection. */
export const cutsOff =
  (text: string): Reply =>
  async (response) => {
    head(response).write(chunkOf({ content: text }))
    await sleep(20)
    response.destroy()
  }

/** Sends the beginning, then ends as if it were complete. */
export const stopsShort =
  (text: string): Reply =>
  (response) => {
    head(response).end(chunkOf({ content: text }))
  }

/** Ends as the protocol requires, but without a finish reason, as some local endpoints do. */
export const givesNoReason =
  (text: string): Reply =>
  (response) => {
    head(response).write(chunkOf({ content: text }))
    response.end('data: [DONE]\n\n')
  }

/** Sends nothing until the client disconnects. */
export const keepsSilent = (): Reply => async (response) => {
  head(response).flushHeaders()
  await once(response, 'close')
}

/** Sends `begin`, then nothing until the client disconnects. */
export const stalls =
  (begin: string): Reply =>
  async (response) => {
    head(response).write(chunkOf({ content: begin }))
    await once(response, 'close')
  }

/** Violates the protocol. */
export const talksNonsense =
  (text = 'data: {"choices": [{"delta": {"content": \n\n'): Reply =>
  (response) => {
    head(response).end(text)
  }

/** Sends the same text forever, as fast as it is read. */
export const neverEnds = (): Reply => async (response) => {
  head(response)
  while (!response.destroyed)
    if (!response.write(chunkOf({ content: 'and so on, '.repeat(100) })))
      await once(response, 'drain').catch(() => undefined)
    else await sleep(0)
}

/** Sends one event that is far too large. */
export const isHuge = (): Reply => async (response) => {
  head(response).write('data: {"choices":[{"delta":{"content":"')
  const part = 'x'.repeat(1024 * 1024)
  for (let at = 0; at < 64 && !response.destroyed; at++)
    if (!response.write(part)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  response.end()
}

/** Responds with a web page, like a host without such an endpoint. */
export const isWebPage = (): Reply => (response) => {
  response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>')
}

/** Starts a model server for the tests of a file. Each test sets its replies; requests are kept until the next test. */
export async function withModel() {
  let replies: Reply[] = []
  const questions: Question[] = []
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const part of request) body += String(part)
    const {
      model = '',
      messages = [],
      stream_options: options,
    } = (body ? JSON.parse(body) : {}) as {
      model?: string
      messages?: { role: string; content: string | { text: string }[] }[]
      stream_options?: unknown
    }
    const said = (role: string) =>
      messages
        .filter((each) => each.role === role)
        .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('')))
        .join('\n')
    const question: Question = {
      path: request.url ?? '',
      headers: request.headers,
      model,
      instructions: said('system'),
      prompt: said('user'),
      asksForUsage: options !== undefined,
      isCancelled: false,
      sent: () => request.socket.bytesWritten,
    }
    questions.push(question)
    response.once('close', () => (question.isCancelled = !response.writableFinished))
    response.on('error', () => undefined).setMaxListeners(0)
    const reply = replies.length > 1 ? replies.shift() : replies[0]
    await (reply ?? fails(500))(response, question)
  }

  beforeEach(() => {
    replies = []
    questions.length = 0
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    /** The base URL for the settings. */
    baseUrl: `http://127.0.0.1:${port}/v1`,
    origin: `http://127.0.0.1:${port}`,
    questions,
    /** Sets the replies to the next requests, in order; the last one is repeated. */
    answers: (...given: Reply[]): void => void (replies = given),
  }
}

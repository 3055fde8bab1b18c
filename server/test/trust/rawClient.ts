// Requests as a third-party client makes them, without shared types.
import type { Route } from '@mokuroku/contract/route'
import { urlOf } from '@mokuroku/contract/call'
import { app } from '#test/app.ts'
import type { Given } from './calls.ts'
import { expectDescribed } from './described.ts'

export interface Answer {
  status: number
  body: unknown
}

/** The URL of the server, which starts to listen on first use. */
export const listening = async (): Promise<string> =>
  app.server.listening ? app.listeningOrigin : app.listen({ host: '127.0.0.1', port: 0 })

/** Makes a call. Of a stream, only the beginning is awaited. */
export async function ask(
  route: Route,
  { path = {}, query, body, file }: Given,
  { token, address = '127.0.0.1', headers = {} }: { token?: string | undefined; address?: string; headers?: object },
): Promise<Answer> {
  const content = file ? await fileOf(file) : body === undefined ? undefined : jsonOf(body)
  const sent = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(content && { 'content-type': content.type }),
    ...(file?.field === 'part' && { 'upload-offset': '0' }),
    ...headers,
  }
  const url = urlOf(route, { ...path, query })
  if (route.stream) return started(route.method, url, sent, content?.bytes)
  const answer = await app.inject({
    method: route.method,
    url,
    remoteAddress: address,
    headers: sent,
    ...(content && { payload: content.bytes }),
  })
  expectDescribed(route, { status: answer.statusCode, headers: answer.headers, text: answer.body })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return { status: answer.statusCode, body: isJson ? parsed(answer.body) : answer.body }
}

/** Without the request id of an error, which is different each time. */
const parsed = (text: string): unknown =>
  text.includes('"requestId"')
    ? JSON.parse(text, (key, value: unknown) => (key === 'requestId' ? undefined : value))
    : JSON.parse(text)

const jsonOf = (body: unknown) => ({ type: 'application/json', bytes: Buffer.from(JSON.stringify(body)) })

async function fileOf({ content, field, fields = {} }: NonNullable<Given['file']>) {
  if (field === 'part') return { type: 'application/offset+octet-stream', bytes: content }
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append(field, new File([new Uint8Array(content)], 'a.png'))
  const response = new Response(form)
  return {
    type: response.headers.get('content-type') ?? '',
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

async function started(method: string, url: string, headers: Record<string, string>, body?: Buffer): Promise<Answer> {
  const leaving = new AbortController()
  const response = await fetch((await listening()) + url, {
    method,
    headers,
    signal: leaving.signal,
    ...(body && { body: new Uint8Array(body) }),
  })
  if (response.ok) leaving.abort()
  return { status: response.status, body: response.ok ? undefined : ((await response.json()) as unknown) }
}

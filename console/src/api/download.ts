import { ApiError, urlOf } from '@mokuroku/contract/call'
import type { Route } from '@mokuroku/contract/route'
import { bearer } from './call.ts'
import { apiHost } from './host.ts'
import { wrote } from './queryClient.ts'
import { mayRepeat } from './reauthenticate.ts'
import { handleExpiredToken, token } from './session.ts'

interface Input {
  /** The path parameter. */
  id?: string
  query?: Record<string, unknown>
  body?: unknown
}

/** After this time in which nothing arrives, a download fails. */
const SILENCE_MS = 60_000

/**
 * Fetches a file that requires authorization, and saves it under the name that the server gives it. If `signal` aborts
 * before it has arrived, or the server falls silent, it is not saved, and an error is thrown.
 */
export async function download(route: Route, input: Input, signal?: AbortSignal): Promise<void> {
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const restart = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  restart()
  try {
    const answer = await fetched(urlOf(route, { ...input }), {
      method: route.method,
      signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]),
      ...(input.body !== undefined && {
        body: JSON.stringify(input.body),
        headers: { 'content-type': 'application/json' },
      }),
    })
    const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'export'
    // An interrupted download fails here, before anything is saved.
    const file = await read(answer, restart).catch(() => Promise.reject(new ApiError(0, undefined)))
    save(file, name)
  } finally {
    clearTimeout(timer)
  }
  wrote(route)
}

/** The file in a response. Calls `onPart` whenever a part of it has arrived. */
function read({ body, headers }: Response, onPart: () => void): Promise<Blob> {
  const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(part, through) {
      onPart()
      through.enqueue(part)
    },
  })
  return new Response(body?.pipeThrough(heard), { headers }).blob()
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

interface FileRequest {
  method: string
  signal?: AbortSignal
  headers?: Record<string, string>
  body?: string
}

async function fetched(url: string, request: FileRequest, isRepeated = false): Promise<Response> {
  const used = token.get()
  const headers = { ...request.headers, ...bearer(used) }
  const answer = await fetch(apiHost + url, { ...request, headers }).catch(() => undefined)
  if (!answer) throw new ApiError(0, undefined)
  if (answer.status === 401) handleExpiredToken(used)
  if (answer.ok) return answer
  const body: unknown = await answer.json().catch(() => undefined)
  if (!isRepeated && (await mayRepeat(answer.status, body, url))) return fetched(url, request, true)
  throw new ApiError(answer.status, body)
}

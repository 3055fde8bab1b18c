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
  const request = {
    method: route.method,
    ...(input.body !== undefined && {
      body: JSON.stringify(input.body),
      headers: { 'content-type': 'application/json' },
    }),
  }
  // An interrupted download fails here, before anything is saved.
  const { file, name } = await fetched(urlOf(route, { ...input }), request, signal)
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  wrote(route)
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

interface FileRequest {
  method: string
  headers?: Record<string, string>
  body?: string
}

async function fetched(url: string, request: FileRequest, signal?: AbortSignal, isRepeated = false) {
  const used = token.get()
  const silence = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), SILENCE_MS)
  }
  wait()
  let refusal: ApiError
  try {
    const answer = await fetch(apiHost + url, {
      ...request,
      headers: { ...request.headers, ...bearer(used) },
      signal: AbortSignal.any([silence.signal, ...(signal ? [signal] : [])]),
    })
    if (answer.status === 401) handleExpiredToken(used)
    if (answer.ok) return { file: await read(answer, wait), name: nameOf(answer) }
    refusal = new ApiError(answer.status, await answer.json().catch(() => undefined))
  } catch {
    throw new ApiError(0, undefined)
  } finally {
    // Not while the user is asked for the password.
    clearTimeout(timer)
  }
  if (!isRepeated && (await mayRepeat(refusal.status, refusal.body, url))) return fetched(url, request, signal, true)
  throw refusal
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

const nameOf = ({ headers }: Response): string =>
  /filename="([^"]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'export'

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

/**
 * Fetches a file that requires authorization, and saves it under the name that the server gives it. If `signal` aborts
 * before it has arrived, it is not saved, and an error is thrown.
 */
export async function download(route: Route, input: Input, signal?: AbortSignal): Promise<void> {
  const answer = await fetched(urlOf(route, { ...input }), {
    method: route.method,
    ...(signal && { signal }),
    ...(input.body !== undefined && {
      body: JSON.stringify(input.body),
      headers: { 'content-type': 'application/json' },
    }),
  })
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'export'
  // An interrupted download fails here, before anything is saved.
  const url = URL.createObjectURL(await answer.blob().catch(() => Promise.reject(new ApiError(0, undefined))))
  const link = document.createElement('a')
  Object.assign(link, { href: url, download: name })
  link.click()
  wrote(route)
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

import { Refusal } from '#lib/errors.ts'
import type * as z from 'zod/mini'
import { fetchPublic } from './publicFetch.ts'
import { applyRateLimit, backOff, assertAvailable } from './hostBackoff.ts'

/** In bytes; our queries return a few thousand. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024

interface Question {
  name: string
  url: string
  signal: AbortSignal
  /** Sent by POST, as JSON. */
  body?: unknown
  accept?: string
}

/**
 * Queries the API of a catalogue and parses its response with a schema. Throws a Refusal if the catalogue is
 * unreachable, limits requests or answers something else. Nothing that it sent is passed on in the error.
 */
export async function askCatalogue<T extends z.ZodMiniType>(
  schema: T,
  { name, url, signal, body, accept = 'application/json' }: Question,
): Promise<z.output<T>> {
  const { host } = new URL(url)
  assertAvailable(name, host)
  const answer = fetchPublic(url, {
    signal,
    maxBytes: MAX_RESPONSE_BYTES,
    headers: { accept, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const {
    status,
    headers,
    body: bytes,
  } = await answer.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    const isAway = error.code === 'outside.unreachable' || error.code === 'outside.slow'
    if (isAway && !signal.aborted) backOff(name, host)
    throw new Refusal(error.status, error.code, isAway ? `${name} cannot be reached.` : `${name}: ${error.message}`)
  })
  applyRateLimit(name, host, status, headers)
  const read = status === 200 ? schema.safeParse(parsed(bytes)) : undefined
  if (!read?.success) throw new Refusal(502, 'outside.answer', `${name} gave an unexpected response.`)
  return read.data
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

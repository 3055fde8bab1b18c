import { Refusal } from '#lib/errors.ts'
import type * as z from 'zod/mini'
import { askOutside } from './outside.ts'
import { heed, leaveAlone, pace } from './pace.ts'

/** Bytes; what we ask of a catalogue takes a few thousand. */
const MOST = 2 * 1024 * 1024

interface Question {
  name: string
  url: string
  signal: AbortSignal
  /** Asked by POST, as JSON. */
  body?: unknown
  accept?: string
}

/**
 * Asks the API of a catalogue and reads its answer by a schema. Throws a Refusal when it cannot be asked, has had
 * enough, or answers something else; nothing of what it sent is passed on.
 */
export async function askCatalogue<T extends z.ZodMiniType>(
  schema: T,
  { name, url, signal, body, accept = 'application/json' }: Question,
): Promise<z.output<T>> {
  const { host } = new URL(url)
  pace(name, host)
  const answer = askOutside(url, {
    signal,
    most: MOST,
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
    if (isAway && !signal.aborted) leaveAlone(name, host)
    throw new Refusal(error.status, error.code, isAway ? `${name} cannot be reached.` : `${name}: ${error.message}`)
  })
  heed(name, host, status, headers)
  const read = status === 200 ? schema.safeParse(parsed(bytes)) : undefined
  if (!read?.success) throw new Refusal(502, 'outside.answer', `${name} did not answer as it should.`)
  return read.data
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}

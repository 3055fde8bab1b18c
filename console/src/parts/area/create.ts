import { ApiError } from '@mokuroku/contract/call'
import type { Creation } from '#api/drafts.ts'
import type { Fields } from '#lib/editorText.ts'
import type { Area, Stored } from './area.ts'
import { asItIs, send, update } from './calls.ts'

/**
 * Attempts to create an entity: the key of the next one, the call that may have created it, and what it is known to have
 * created.
 */
export interface Attempt {
  key?: string
  sent?: Creation | undefined
  made?: Stored | undefined
}

/** The version of an entity that nobody has changed since it was created. */
const FIRST_VERSION = 1

/**
 * Creates an entity. An earlier attempt without a response may have created it: that one is sent again, which creates
 * nothing twice, and what it created is then changed to `body`. Changes by others are merged, unless `base` is a later
 * version, with which conflicts have been resolved.
 */
export async function create(
  area: Area,
  body: Fields,
  runs: string[],
  attempt: Attempt = {},
  base = FIRST_VERSION,
): Promise<Stored> {
  const { api, explain = asItIs } = area
  const { sent, key } = attempt
  const first = sent ?? { body, runs, ...(key && { key }) }
  if (api.create.idempotent) attempt.sent = first
  try {
    attempt.made ??= await explain(() => send(api.create, first), first.body)
  } catch (error) {
    if (!(error instanceof ApiError) || isUnknown(error)) throw error
    const isNotMade = isRejected(error)
    if (isNotMade || !sent) attempt.sent = undefined
    if (first.body === body || !isNotMade) throw error
    return create(area, body, runs, attempt, base)
  }
  if (JSON.stringify(first.body) === JSON.stringify(body)) return attempt.made
  return update(area, attempt.made._id, { body, base, runs })
}

/** It is not known whether the call succeeded. */
const isUnknown = ({ status }: ApiError) => status === 0 || status >= 500

/** The input was rejected, so nothing was created. Refusing the user, or so many calls, says nothing about it. */
const isRejected = ({ status }: ApiError) => status >= 400 && status < 500 && ![401, 403, 429].includes(status)

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

interface Options {
  base?: number | undefined
  changeOf?: (first: Fields, made: Stored) => Fields | undefined
}

/** The version of an entity that nobody has changed since it was created. */
const FIRST_VERSION = 1

/**
 * Creates an entity. An earlier attempt without a response may have created it: that one is sent again, which creates
 * nothing twice, and what it created is then changed to `body`. Changes by others are merged, unless `base` is a later
 * version, with which conflicts have been resolved. `changeOf` returns the body of the update if it is not that of the
 * creation, or undefined if it cannot be expressed: then another entity is created.
 */
export async function create(
  area: Pick<Area, 'api' | 'explain'>,
  body: Fields,
  runs: string[],
  attempt: Attempt = {},
  { base = FIRST_VERSION, changeOf = () => body }: Options = {},
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
    return create(area, body, runs, attempt, { base, changeOf })
  }
  if (JSON.stringify(first.body) === JSON.stringify(body)) return attempt.made
  const change = changeOf(first.body, attempt.made)
  if (change) return update(area, attempt.made._id, { body: change, base, runs })
  Object.assign(attempt, { sent: undefined, made: undefined })
  return create(area, body, runs, attempt)
}

/** It is not known whether the call succeeded. */
const isUnknown = ({ status }: ApiError) => status === 0 || status >= 500

/** The input was rejected, so nothing was created. Refusing the user, or so many calls, says nothing about it. */
const isRejected = ({ status }: ApiError) => status >= 400 && status < 500 && ![401, 403, 429].includes(status)

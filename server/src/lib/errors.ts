import type { FieldError } from '@mokuroku/contract/call'
import { denial, type DenialCode } from '@mokuroku/contract/denials'
import { lineOf } from '@mokuroku/contract/issues'
import { reasonText } from '@mokuroku/contract/reasons'

/** A call that is refused, with the sentence that the user should read. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly errors: FieldError[] | undefined
  /** Further fields of the response: the two versions of a stale save, or the seconds to wait. */
  readonly more: Record<string, unknown>

  constructor(
    status: number,
    code: string,
    message: string,
    errors?: FieldError[],
    more: Record<string, unknown> = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
    this.more = more
  }
}

/** A 400. Unless `message` says more, it names the first errors. */
export function invalid(errors: FieldError[], message = firstLines(errors)): never {
  throw new Refusal(400, 'invalid', message, errors)
}

const firstLines = (errors: FieldError[]): string => errors.slice(0, 3).map(lineOf).join('; ')

export function unauthorized(message = reasonText('signIn')): never {
  throw new Refusal(401, 'unauthorized', message)
}

/** `tier` is the caller's, if the sentence of the denial names it. */
export function forbidden(code: DenialCode, tier?: string): never {
  throw new Refusal(403, 'forbidden', reasonText('denied'), undefined, {
    reason: denial(code, tier),
  })
}

/**
 * 'Media not found', or a general sentence: the same for what does not exist and for what the caller may not know of.
 */
export function notFound(what?: string): never {
  const name = what === 'Tier' ? 'Permission tier' : what
  throw new Refusal(404, 'notFound', name === undefined ? reasonText('notFound') : `${name} not found`)
}

/** `seconds` until a retry makes sense. */
export function tooMany(seconds: number): never {
  throw new Refusal(429, 'tooMany', reasonText('tooManyCalls'), undefined, {
    retryAfter: Math.max(1, Math.ceil(seconds)),
  })
}

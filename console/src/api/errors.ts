import { ApiError, type FieldError } from '@mokuroku/contract/call'
import { en } from '#i18n/en.ts'
import { messages } from '#i18n/messages.ts'

const BY_STATUS = [401, 403, 404, 429] as const

/** What a failed call says to the user: the sentence of its status, and then the reason that the server gives. */
export function messageOf(error: unknown): string {
  const reason = reasonOf(error)
  return reason ? `${stockOf(error)} ${reason}` : stockOf(error)
}

/** The sentence that every call of this status ends in; the server's own where the status has none. */
export function stockOf(error: unknown): string {
  const { errors } = messages()
  if (!(error instanceof ApiError)) return errors.unexpected
  const { status } = error
  if (status === 0) return errors.network
  if (isServerFault(status)) return errors.server
  const known = BY_STATUS.find((each) => each === status)
  // 403, and the password was not entered.
  if (error.code === 'reauthenticate') return errors.reauthenticate
  return known ? errors[known] : (serverMessage(error) ?? errors.unexpected)
}

/** Why, where the status has a sentence of its own and the server says more than that. */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { status, code = '' } = error
  if (code === 'reauthenticate' || !(isServerFault(status) || [403, 404, 429].includes(status))) return undefined
  // What broke inside the server, or is simply not there, is told no further.
  if (PLAIN.has(code) || (status >= 500 && !code)) return undefined
  const said = textIn(error.body, 'reason') ?? textIn(error.body, 'message')
  return said && !STOCK.has(said) ? localized(said) : undefined
}

/** Answers whose code says all. */
const PLAIN = new Set(['internal', 'notFound'])
const STOCK: ReadonlySet<string> = new Set([en.errors[403], en.errors[404], en.errors[429], en.errors.server])

const isServerFault = (status: number) => status >= 500 && status <= 504 && status !== 501

/**
 * The server's own sentence, if it sent one. In a language in which that sentence is not known, such as one that lists
 * wrong values, what is wrong with each value.
 */
export function serverMessage(error: unknown): string | undefined {
  const said = error instanceof ApiError ? textIn(error.body, 'message') : undefined
  if (!(error instanceof ApiError) || !said) return undefined
  return messages().localized(said) ?? (error.errors?.length ? faultLines(error.errors, said) : said)
}

/** A sentence of the server in the console's language, where that is known. */
export const localized = (said: string): string => messages().localized(said) ?? said

/** As many faults as the server's sentence may list, each with its path where that sentence names it. */
const faultLines = (faults: FieldError[], said: string): string =>
  faults
    .slice(0, 3)
    .map((fault) => (said.includes(`${fault.path}: `) ? `${fault.path}: ${sentenceOf(fault)}` : sentenceOf(fault)))
    .join('; ')

function textIn(body: unknown, name: 'message' | 'reason'): string | undefined {
  if (typeof body !== 'object' || body === null || !(name in body)) return undefined
  const said: unknown = Reflect.get(body, name)
  return typeof said === 'string' && said ? said : undefined
}

/** What is wrong with a value, in the console's language where the fault has a code, or a sentence that has one. */
export const sentenceOf = (fault: Omit<FieldError, 'path'>): string =>
  messages().fault(fault) ?? localized(fault.message)

/** The same refusal in the console's words, at the value it is about: an editor marks it there. */
export function toFieldMessage(error: ApiError, path: string, message: string): ApiError {
  return new ApiError(error.status, { code: error.code, message, errors: [{ path, message }] })
}

export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

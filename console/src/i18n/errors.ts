import { ApiError, type FieldError } from '@mokuroku/contract/call'
import { en } from '#i18n/en.ts'
import { messages } from '#i18n/messages.ts'
import { outcomes } from '#lib/errorStatus.ts'

/** The error message for a failed call: the sentence for its status, then the reason that the server gives. */
export const messageOf = (error: unknown): string => joinSentences(stockOf(error), reasonOf(error))

/** Two sentences, or a label and its sentence, in a row: there is no space after full-width punctuation. */
export const joinSentences = (one: string, other = ''): string => (one.replace(/[^。：]$/, '$& ') + other).trim()

/** The sentence for the error's status; the server's own message for a status without one. */
export function stockOf(error: unknown): string {
  const { errors } = messages()
  if (!(error instanceof ApiError)) return errors.unexpected
  const { status } = error
  if (status === 0) return errors.network
  if (isServerFault(status)) return errors.server
  // 403, but the user closed the password dialog.
  if (error.code === 'reauthenticate') return errors.reauthenticate
  const byStatus: Readonly<Partial<Record<number, string>>> = errors
  return byStatus[status] ?? serverMessage(error) ?? errors.unexpected
}

/**
 * The server's reason, if the status has a sentence of its own and the server says more than that. A 413 without
 * a message, except for a read, is that of a proxy: what it means. Of a write without an answer: that it may have
 * happened. Of one to what has been deleted: that it has been. Of a fault that only the log explains: the id by which to
 * search it.
 */
export function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { errors } = messages()
  const outcome = outcomes.get(error)
  if (outcome)
    return joinSentences(errors[outcome], outcome === 'deleted' && isRestorable(error) ? errors.restorable : '')
  const { status, code = '' } = error
  if (status === 413 && error.method !== 'GET' && !serverMessage(error)) return errors.tooLarge
  if (code === 'reauthenticate' || !(isServerFault(status) || [403, 404, 429].includes(status))) return undefined
  const id = requestIdOf(error)
  if (id) return joinSentences(errors.requestId, id)
  if (code === 'internal' || code === 'notFound' || (status >= 500 && !code)) return undefined
  const text = textIn(error.body, 'reason') ?? textIn(error.body, 'message')
  return text && !STOCK.has(text) ? localized(text) : undefined
}

/** Whether what is missing, whose kind the server names, may be in the trash: all kinds that have screens have one. */
const isRestorable = ({ message }: Error): boolean =>
  Object.values(en.kinds).some(({ name }) => message === `${name} not found`)

/** The id of a call whose failure only the log explains; the message for the failure ends with it. */
export const requestIdOf = (error: unknown): string | undefined =>
  error instanceof ApiError && error.code === 'internal' ? textIn(error.body, 'requestId') : undefined

const STOCK: ReadonlySet<string> = new Set(Object.values(en.errors))

const isServerFault = (status: number) => status >= 500 && status <= 504 && status !== 501

/**
 * The server's own message, if it says more than the sentence for the status; that of an internal error does not. If
 * there is no translation for it (for example because it lists invalid values), the message of each field error instead.
 */
export function serverMessage(error: unknown): string | undefined {
  const text = error instanceof ApiError ? textIn(error.body, 'message') : undefined
  if (!(error instanceof ApiError) || !text || error.code === 'internal') return undefined
  return messages().localized({ message: text }) ?? (error.errors?.length ? faultLines(error.errors, text) : text)
}

/** A message of the server in the console's language, if a translation is known. */
export const localized = (text: string): string => messages().localized({ message: text }) ?? text

/** Up to three field errors, as many as the server's message lists; with the path if that message names it. */
const faultLines = (faults: FieldError[], text: string): string =>
  joinFaults(
    faults
      .slice(0, 3)
      .map((fault) => (text.includes(`${fault.path}: `) ? `${fault.path}: ${sentenceOf(fault)}` : sentenceOf(fault))),
  )

/** Several field errors in a row. */
export const joinFaults = (sentences: readonly string[]): string => sentences.join(messages().errors.separator)

function textIn(body: unknown, name: 'message' | 'reason' | 'requestId'): string | undefined {
  if (typeof body !== 'object' || body === null || !(name in body)) return undefined
  const text: unknown = Reflect.get(body, name)
  return typeof text === 'string' && text ? text : undefined
}

/** The message of a field error in the console's language, looked up by its code or else by its sentence. */
export const sentenceOf = (fault: Omit<FieldError, 'path'>): string =>
  messages().fault(fault) ?? localized(fault.message)

import { ApiError, type Fault } from '@mokuroku/contract/call'
import { codeOf, filled, type FaultCode } from '@mokuroku/contract/faults'
import { messages } from '#i18n/messages.ts'

const BY_STATUS = [401, 403, 404, 429] as const

/** What a failed call says to the user (specification 8). */
export function messageOf(error: unknown): string {
  const { errors } = messages()
  if (!(error instanceof ApiError)) return errors.unexpected
  const { status } = error
  // The server asked for the password, and the person gave none.
  if (error.code === 'reauthenticate') return errors.reauthenticate
  if (status === 0) return errors.network
  if (status >= 500 && status <= 504 && status !== 501) return errors.server
  const known = BY_STATUS.find((each) => each === status)
  return known ? errors[known] : (saidBy(error) ?? errors.unexpected)
}

/** The server's own sentence, if it sent one. */
export function saidBy(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null) return undefined
  const message: unknown = 'message' in error.body ? error.body.message : undefined
  return typeof message === 'string' && message ? message : undefined
}

/** What is wrong with a value, in the console's language where the fault has a code. */
export function sentenceOf({ code = '', params, message }: Pick<Fault, 'code' | 'params' | 'message'>): string {
  const { faults, and } = messages()
  return Object.hasOwn(faults, code) ? filled(faults[code as FaultCode], params, and) : message
}

/** What a form says of a schema's message, which is one of the contract's English sentences. */
export const formFault = (message: string): string => sentenceOf({ message, code: codeOf(message) })

/** The same refusal in the console's words, at the value it is about: an editor marks it there. */
export function faultAt(error: ApiError, path: string, message: string): ApiError {
  return new ApiError(error.status, { code: error.code, message, errors: [{ path, message }] })
}

export const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404

import { ApiError } from '@mokuroku/contract/call'

/** The same error as a field error with the console's own message, so that an editor marks it at `path`. */
export function toFieldMessage(error: ApiError, path: string, message: string): ApiError {
  return new ApiError(error.status, { code: error.code, message, errors: [{ path, message }] })
}

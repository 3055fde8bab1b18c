import { ApiError } from '@mokuroku/contract/call'

const hasStatus = (error: unknown, status: number) => error instanceof ApiError && error.status === status

export const isForbidden = (error: unknown) => hasStatus(error, 403)
export const isNotFound = (error: unknown) => hasStatus(error, 404)

/** Whether it is unknown if a write happened: no response came, or a fault of the server or of a proxy. */
export const isUncertain = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500)

/**
 * What is known of failed writes: it may have happened all the same, or what it is about has been deleted in the
 * meantime; permanently, where it was to be restored.
 */
export const outcomes = new WeakMap<object, 'unconfirmed' | 'deleted' | 'purged'>()

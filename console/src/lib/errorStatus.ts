import { ApiError } from '@mokuroku/contract/call'

const hasStatus = (error: unknown, status: number) => error instanceof ApiError && error.status === status

export const isForbidden = (error: unknown) => hasStatus(error, 403)
export const isNotFound = (error: unknown) => hasStatus(error, 404)

import { ApiError } from '@mokuroku/contract/call'
import { toast } from '#ui/toast.ts'
import { messageOf } from './errors.ts'

/**
 * Shows the error of a call in a toast, by default with its message below the title. The end of the session is left out,
 * because `handleExpiredToken` has already reported it.
 */
export function toastFailure(title: string, error: unknown, detail = messageOf(error)): void {
  if (error instanceof ApiError && error.status === 401) return
  toast.error(title, detail)
}

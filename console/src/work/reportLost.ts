import { ApiError } from '@mokuroku/contract/call'
import { messageOf } from '#api/errors.ts'
import { toast } from '#ui/toast.ts'
import { workTexts } from './texts.ts'

/** Reports a save that was refused after its screen was left. */
export function reportLost(error: unknown) {
  // `handleExpiredToken` has already shown a toast.
  if (error instanceof ApiError && error.status === 401) return
  toast.error(workTexts.now().states.failed, messageOf(error))
}

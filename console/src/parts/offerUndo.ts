import { ApiError } from '@mokuroku/contract/call'
import { token } from '#api/session.ts'
import { toast } from '#ui/toast.ts'

/**
 * Says what was done, and offers to undo it: again if that fails for a reason that may pass, unless another user may have
 * signed in meanwhile.
 */
export function offerUndo(message: string, undo: () => Promise<unknown>): void {
  const by = token.get()
  toast.undo(message, () => {
    undo().catch((error: unknown) => {
      if (mayPass(error) && token.get() === by) offerUndo(message, undo)
    })
  })
}

/** No answer, a fault of the server, or too many calls; not a refusal. */
const mayPass = (error: unknown) =>
  error instanceof ApiError && (error.status === 429 || error.status < 400 || error.status >= 500)

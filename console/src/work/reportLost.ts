import { toastFailure } from '#api/queryClient.ts'
import { workTexts } from './texts.ts'

/** Reports a save that was refused after its screen was left. */
export const reportLost = (error: unknown) => toastFailure(workTexts.get().states.failed, error)

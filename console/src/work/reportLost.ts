import { toastFailure } from '#api/toastFailure.ts'
import { workTexts } from './texts.ts'

/** Reports a save that was refused after its screen was left. */
export const reportLost = (error: unknown) => toastFailure(workTexts.get().states.failed, error)

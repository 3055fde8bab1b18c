import { toastFailure } from '#api/queryClient.ts'
import { messageOf } from '#i18n/errors.ts'
import { isNotFound } from '#lib/errorStatus.ts'
import { workTexts } from './texts.ts'

/** Why a text or value was not saved. */
export const reasonOf = (error: unknown): string => (isNotFound(error) ? workTexts.get().gone : messageOf(error))

/** Reports a save that was refused after its screen was left. */
export const reportLost = (error: unknown) => toastFailure(workTexts.get().states.failed, error, reasonOf(error))

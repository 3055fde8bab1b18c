import { ApiError } from '@mokuroku/contract/call'
import type { TierInput } from '@mokuroku/contract/tiers'
import { toFieldMessage } from '#lib/fieldMessage.ts'
import type { Fields } from '#lib/editorText.ts'
import { tierTexts } from './texts.ts'

/** Saves a tier; errors that concern other tiers become field errors. */
export async function explain<T>(act: () => Promise<T>, body?: Fields): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError && body)) throw error
    // Validated as TierInput before.
    const { requiredScore } = body as TierInput
    const { editor: texts } = tierTexts.get()
    if (error.code === 'duplicate') throw toFieldMessage(error, 'requiredScore', texts.sameScore(requiredScore))
    if (error.code === 'defaultTier')
      throw toFieldMessage(error, requiredScore === 0 ? 'isActive' : 'requiredScore', texts.staysDefault)
    throw error
  }
}

import { ApiError } from '@mokuroku/contract/call'
import { type Tier, type TierInput } from '@mokuroku/contract/tiers'
import { toFieldMessage } from '#api/errors.ts'
import { texts as area } from './texts.ts'

/** Saves a tier; what the server refuses for the sake of other tiers is said at the value it is about. */
export async function saveTier(tier: TierInput, save: () => Promise<Tier>): Promise<Tier> {
  try {
    return await save()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { editor: texts } = area.now()
    if (error.code === 'duplicate') throw toFieldMessage(error, 'requiredScore', texts.sameScore(tier.requiredScore))
    if (error.code === 'defaultTier')
      throw toFieldMessage(error, tier.requiredScore === 0 ? 'isActive' : 'requiredScore', texts.staysDefault)
    throw error
  }
}

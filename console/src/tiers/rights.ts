import type { Me } from '@mokuroku/contract/auth'
import type { Tier } from '@mokuroku/contract/tiers'
import type { Refusals } from '#parts/area/area.ts'
import { tierTexts } from './texts.ts'

/** Only administrators may change tiers, and nobody may delete the default one. */
export function tierRefusals({ role }: Me): Refusals<Tier> {
  const { adminOnly, isDefault } = tierTexts.get()
  const refusal = role === 'admin' ? undefined : adminOnly
  return {
    create: refusal,
    edit: () => refusal,
    delete: ({ requiredScore }) => refusal ?? (requiredScore === 0 ? isDefault : undefined),
  }
}

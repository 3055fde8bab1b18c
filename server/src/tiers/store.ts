import { TierInput } from '@mokuroku/contract/tiers'
import { ledger } from '#lib/ledger.ts'

export const tiers = ledger<Required<TierInput>>({
  kind: 'Tier',
  fields: Object.keys(TierInput.shape),
  empty: { description: '' },
  title: ({ name }) => name,
  activity: () => undefined,
})

import { type Tier, tiersApi } from '@mokuroku/contract/tiers'
import { call } from '#api/call.ts'
import { guessLanguage } from '#lib/text.ts'
import { useDelete } from '#parts/useDelete.tsx'
import { texts as area } from './texts.ts'
import { TierPreview } from './TierPreview.tsx'

/** Deleting a tier: the question says who would lose or gain what by it. */
export function useDeleteTier() {
  return useDelete<Tier>({
    texts: area.use(),
    nameOf: ({ name }) => ({ text: name, lang: guessLanguage(name) }),
    remove: ({ _id, version }) => call(tiersApi.remove, { id: _id, base: version }),
    restore: (id) => call(tiersApi.restore, { id }),
    more: ({ _id }) => <TierPreview id={_id} tier={null} />,
  })
}

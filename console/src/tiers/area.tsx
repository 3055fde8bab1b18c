import { newTier, type Tier, TierInput, tiersApi } from '@mokuroku/contract/tiers'
import type { Fields } from '#lib/editorText.ts'
import { guessLanguage } from '#lib/text.ts'
import type { Area } from '#parts/area/area.ts'
import { explain } from './explain.ts'
import { review } from './review.tsx'
import { tierRefusals } from './rights.ts'
import { tierTexts } from './texts.ts'
import { TierList } from './TierList.tsx'
import { TierPreview } from './TierPreview.tsx'

export const area: Area<Tier> = {
  kind: 'Tier',
  api: tiersApi,
  texts: tierTexts.in,
  nameOf: ({ name }) => ({ text: name, lang: guessLanguage(name) }),
  refusals: tierRefusals,
  written: ['name', 'description'],
  list: { Screen: TierList },
  editor: {
    schema: TierInput,
    start: newTier,
    height: 550,
    Beside: Preview,
    review,
  },
  explain,
  Deleting: ({ row: { _id } }) => <TierPreview id={_id} tier={null} />,
}

/** Preview of the current text; `value` has been validated as TierInput. */
function Preview({ id, value }: { id: string | undefined; value: Fields | undefined }) {
  return <TierPreview id={id} tier={value as TierInput | undefined} />
}

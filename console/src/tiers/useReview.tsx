import type { TierInput } from '@mokuroku/contract/tiers'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Fields } from '#lib/editorText.ts'
import { Confirm } from '#ui/Confirm.tsx'
import { texts as area } from './texts.ts'
import css from './TierPreview.module.css'
import { previewOf, takesAway, TierPreview } from './TierPreview.tsx'

interface Asked {
  tier: TierInput
  isSure: boolean
  go: () => void
}

/** Asks before a tier is saved when people would lose something by it, or when that cannot be found out. */
export function useReview(id?: string) {
  const { preview: texts } = area.use()
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked>()
  const before = async (body: Fields, go: () => void) => {
    // It has passed the schema of TierInput.
    const tier = body as TierInput
    const preview = await client.fetchQuery(previewOf(id, tier)).catch(() => undefined)
    if (preview && !takesAway(preview)) go()
    else setAsked({ tier, isSure: preview !== undefined, go })
  }
  const question = asked && (
    <Confirm title={texts.question} confirm={texts.confirm} onConfirm={asked.go} onClose={() => setAsked(undefined)}>
      <p className={css.ask}>{asked.isSure ? texts.ask : texts.askUnsure}</p>
      <TierPreview id={id} tier={asked.tier} />
    </Confirm>
  )
  return { before: (body: Fields, go: () => void) => void before(body, go), question }
}

import type { TierInput } from '@mokuroku/contract/tiers'
import { queryClient } from '#api/queryClient.ts'
import type { Fields } from '#lib/editorText.ts'
import type { Question } from '#parts/area/area.ts'
import { tierTexts } from './texts.ts'
import css from './TierPreview.module.css'
import { previewOf, hasLosses, TierPreview } from './TierPreview.tsx'

/** Asks for confirmation before saving a tier if users would lose permissions, or if that cannot be determined. */
export async function review(body: Fields, id: string | undefined): Promise<Question | undefined> {
  // Validated as TierInput before.
  const tier = body as TierInput
  const preview = await queryClient.fetchQuery(previewOf(id, tier)).catch(() => undefined)
  if (preview && !hasLosses(preview)) return undefined
  const { question: title, confirm, ask, askUnsure } = tierTexts.get().preview
  return {
    title,
    confirm,
    body: (
      <>
        <p className={css.ask}>{preview ? ask : askUnsure}</p>
        <TierPreview id={id} tier={tier} />
      </>
    ),
  }
}

import type { TierInput, TierPreview as TierPreviewed } from '@mokuroku/contract/tiers'
import { queryClient } from '#api/queryClient.ts'
import type { Fields } from '#lib/editorText.ts'
import type { Question } from '#parts/area/area.ts'
import { tierTexts } from './texts.ts'
import css from './TierPreview.module.css'
import { previewOf, hasLosses, TierPreview } from './TierPreview.tsx'

/** Asks for confirmation before saving a tier if users would lose permissions, or if that cannot be determined. */
export const review = (body: Fields, id: string | undefined) => question(body, id, hasLosses)

/** The same if users would lose or gain permissions, for a change whose preview is not on screen. */
export const reviewUnseen = (body: Fields, id: string | undefined) =>
  question(body, id, ({ userCount }) => userCount > 0)

async function question(
  body: Fields,
  id: string | undefined,
  isAsked: (preview: TierPreviewed) => boolean,
): Promise<Question | undefined> {
  // Validated as TierInput before.
  const tier = body as TierInput
  const preview = await queryClient.fetchQuery(previewOf(id, tier)).catch(() => undefined)
  if (preview && !isAsked(preview)) return undefined
  const texts = tierTexts.get().preview
  const isGain = preview && !hasLosses(preview)
  return {
    title: isGain ? texts.gainQuestion : texts.question,
    confirm: isGain ? texts.gainConfirm : texts.confirm,
    body: (
      <>
        <p className={css.ask}>{isGain ? texts.askGain : preview ? texts.ask : texts.askUnsure}</p>
        <TierPreview id={id} tier={tier} />
      </>
    ),
  }
}

import { isTranslated } from '@mokuroku/contract/kinds'
import { useLanguage } from '#i18n/messages.ts'
import { AREAS } from '#lib/areas.ts'
import { EmptyState } from '#ui/EmptyState.tsx'
import { AddLink } from './AddLink.tsx'
import type { ScreenProps } from './area.ts'
import { ImportLink } from './ImportLink.tsx'

/** Shown while a kind has no entities: links that add the first ones. */
export function EmptyArea({ area }: ScreenProps) {
  const { empty, emptyCatalogue } = area.texts(useLanguage())
  return (
    <EmptyState icon={AREAS[area.kind].icon} title={empty} hint={emptyCatalogue}>
      <AddLink isLabelled area={area} />
      {isTranslated(area.kind) && <ImportLink isLabelled kind={area.kind} />}
    </EmptyState>
  )
}

import { isTranslated } from '@mokuroku/contract/kinds'
import { Suspense } from 'react'
import type { Area, Stored } from '#parts/area/area.ts'
import { lazyPart } from '#ui/lazyPart.tsx'

const FindingMarks = lazyPart(() => import('./FindingMarks.tsx'), 'FindingMarks')

interface Props {
  area: Area
  entity: Stored
  refusal: string | undefined
}

/** The findings of an entity, if its kind is checked; loaded lazily. */
export const LazyMarks = (props: Props) =>
  isTranslated(props.area.kind) && (
    <Suspense>
      <FindingMarks {...props} kind={props.area.kind} />
    </Suspense>
  )

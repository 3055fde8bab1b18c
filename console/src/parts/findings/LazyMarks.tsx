import { isTranslated } from '@mokuroku/contract/kinds'
import { Suspense } from 'react'
import { lazyPart } from '#ui/lazyPart.tsx'

const FindingMarks = lazyPart(() => import('./FindingMarks.tsx'), 'FindingMarks')

interface Props {
  kind: string
  id: string
  refusal: string | undefined
}

/** The findings of an entity, if its kind is checked; loaded lazily. */
export const LazyMarks = ({ kind, ...props }: Props) =>
  isTranslated(kind) && (
    <Suspense>
      <FindingMarks kind={kind} {...props} />
    </Suspense>
  )

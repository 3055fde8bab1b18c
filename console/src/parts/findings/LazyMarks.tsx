import { isTranslated } from '@mokuroku/contract/kinds'
import { Suspense } from 'react'
import { lazyPart } from '#ui/lazyPart.tsx'

const FindingMarks = lazyPart(() => import('./FindingMarks.tsx'), 'FindingMarks')

interface Props {
  kind: string
  id: string
  refusal: string | undefined
}

/** What the checks found of a thing, where its kind is checked; its code comes by itself. */
export const LazyMarks = ({ kind, ...props }: Props) =>
  isTranslated(kind) && (
    <Suspense>
      <FindingMarks kind={kind} {...props} />
    </Suspense>
  )

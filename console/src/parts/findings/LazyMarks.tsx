import { findingsApi } from '@mokuroku/contract/findings'
import { isTranslated, type Kind } from '@mokuroku/contract/kinds'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { q } from '#api/query.ts'
import type { Area, Stored } from '#parts/area/area.ts'
import { lazyPart } from '#ui/lazyPart.tsx'

const load = () => import('./FindingMarks.tsx')
const FindingMarks = lazyPart(load, 'FindingMarks')

/** Loads the findings together with their entity: if they came after it, they would move what is below them. */
export function useMarksAhead(kind: Kind, id: string) {
  const queries = useQueryClient()
  useEffect(() => {
    if (!isTranslated(kind)) return
    // If it fails, the part itself tries again.
    load().catch(() => undefined)
    void queries.prefetchQuery({ ...q(findingsApi.find, { id }), meta: { quiet: true } })
  }, [queries, kind, id])
}

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

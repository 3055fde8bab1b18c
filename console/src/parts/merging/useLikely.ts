import { likelyOf } from '@mokuroku/contract/duplicates'
import type { Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import type { Stored } from '#parts/area/area.ts'
import { useFailure } from '#ui/useFailure.ts'

interface Likely {
  matches: Stored[]
  failure: unknown
  isLoading: boolean
  retry: () => unknown
}

/**
 * Likely duplicates of a document; none without a document. `id` is the document's own, if it is stored. A new document
 * counts as the same while it is being written: what is known of it stays until the next answer.
 */
export function useLikelyDuplicates(kind: Translated, document: Document | undefined, id?: string): Likely {
  const isNew = id === undefined
  const likely = useQuery({
    queryKey: ['likely', kind, id, document],
    queryFn: document
      ? ({ signal }) => call(likelyOf(kind), { body: { document, ...(!isNew && { _id: id }) }, signal })
      : skipToken,
    staleTime: 0,
    retry: false,
    meta: { quiet: true },
    ...(isNew && { placeholderData: keepPreviousData }),
  })
  const failure = useFailure(likely, isNew || undefined)
  const matches = likely.data?.data.map(({ entity }) => entity) ?? []
  return { matches, failure, isLoading: likely.isFetching, retry: likely.refetch }
}

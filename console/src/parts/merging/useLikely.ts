import { likelyOf } from '@mokuroku/contract/duplicates'
import type { Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { skipToken, useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import type { Stored } from '#parts/area/area.ts'

interface Likely {
  matches: Stored[]
  failure: unknown
  isLoading: boolean
  retry: () => unknown
}

/** Likely duplicates of a document; none without a document. `id` is the document's own, if it is stored. */
export function useLikelyDuplicates(kind: Translated, document: Document | undefined, id?: string): Likely {
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['likely', kind, id, document],
    queryFn: document
      ? ({ signal }) => call(likelyOf(kind), { body: { document, ...(id !== undefined && { _id: id }) }, signal })
      : skipToken,
    staleTime: 0,
    retry: false,
    meta: { quiet: true },
  })
  const matches = data?.data.map(({ entity }) => entity) ?? []
  return { matches, failure: error, isLoading: isFetching, retry: refetch }
}

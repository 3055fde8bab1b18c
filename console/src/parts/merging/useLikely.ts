import { likelyOf } from '@mokuroku/contract/duplicates'
import type { Translated } from '@mokuroku/contract/kinds'
import type { Document } from '@mokuroku/contract/merge'
import { skipToken, useQuery } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import type { Stored } from '#parts/area/area.ts'

/** Likely duplicates of a document; none without a document. `id` is the document's own, if it is stored. */
export function useLikelyDuplicates(kind: Translated, document: Document | undefined, id?: string): Stored[] {
  const { data } = useQuery({
    queryKey: ['likely', kind, id, document],
    queryFn: document
      ? ({ signal }) => call(likelyOf(kind), { body: { document, ...(id !== undefined && { _id: id }) }, signal })
      : skipToken,
    staleTime: 0,
    retry: false,
    meta: { quiet: true },
  })
  return data?.data.map(({ entity }) => entity) ?? []
}

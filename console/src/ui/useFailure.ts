import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * Why a query has no data; null otherwise. React Query forgets the error as soon as it fetches again: here it stays until
 * there is an answer, so that Retry stays in place and keeps the focus. `isSame`: whether what is fetched now is what
 * failed; by default, if the last failure of its key is the remembered one.
 */
export function useFailure(
  { data, error, isPending, isPlaceholderData, errorUpdatedAt: at }: UseQueryResult,
  isSame?: true,
): Error | null {
  const [last, setLast] = useState({ error, at })
  const isWaiting = isPending || isPlaceholderData
  const remembered = isSame || at === last.at ? last.error : null
  const failure = isWaiting ? remembered : data === undefined ? error : null
  if (failure !== last.error || at !== last.at) setLast({ error: failure, at })
  return failure
}

/**
 * What a query shows: nothing while it has failed, although React Query brings back the previous page during Retry.
 */
export const useShown = <T>(query: UseQueryResult<T>): T | undefined => (useFailure(query) ? undefined : query.data)

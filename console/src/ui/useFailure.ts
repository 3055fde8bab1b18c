import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'

/**
 * Why a query has no data; null otherwise. React Query forgets the error as soon as it fetches again: here it stays until
 * there is an answer, so that Retry stays in place and keeps the focus. `isSame`: whether what is fetched now is what
 * failed; by default, if it has the same key.
 */
export function useFailure(
  { data, error, isPending, isPlaceholderData, errorUpdateCount }: UseQueryResult,
  isSame = errorUpdateCount > 0,
): Error | null {
  const [last, setLast] = useState(error)
  const isWaiting = isPending || isPlaceholderData
  const failure = isWaiting ? (isSame ? last : null) : data === undefined ? error : null
  if (failure !== last) setLast(failure)
  return failure
}

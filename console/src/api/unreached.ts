import { ApiError } from '@mokuroku/contract/call'
import type { Query } from '@tanstack/react-query'
import { queryClient } from './queryClient.ts'

/** Neither the server nor a proxy that reached it has answered. */
export const isUnreached = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || (error.code === undefined && error.status >= 502))

/** Fetches again what is on screen and could not be fetched, which would otherwise say so until the user retries. */
export const retryUnreached = ({ onlyMissing = false } = {}) =>
  queryClient.refetchQueries({
    type: 'active',
    predicate: (query) => isUnreached(query.state.error) && (isMissing(query) || !onlyMissing),
  })

/** Nothing of it has ever been fetched, so that its screen shows the error. */
export const isMissing = ({ state }: Query) => state.data === undefined

/**
 * Fetches again what is on screen and no longer fresh: what changed without a connection was not reported. Goes by the
 * clock, since the observers go by a timer, which stands still while the computer sleeps.
 */
export const refetchStale = () =>
  queryClient.refetchQueries({
    type: 'active',
    predicate: (query) =>
      query.observers.some(
        ({ options: { staleTime } }) => typeof staleTime !== 'function' && query.isStaleByTime(staleTime),
      ),
  })

import { ApiError } from '@mokuroku/contract/call'
import { queryClient } from './queryClient.ts'

/** Neither the server nor a proxy that reached it has answered. */
export const isUnreached = (error: unknown) =>
  error instanceof ApiError && (error.status === 0 || (error.code === undefined && error.status >= 502))

/** Fetches again what is on screen and could not be fetched, which would otherwise say so until the user retries. */
export const retryUnreached = () =>
  queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => isUnreached(state.error) })

/** Fetches again what is on screen and no longer fresh: what changed without a connection was not reported. */
export const refetchStale = () => queryClient.refetchQueries({ type: 'active', stale: true })

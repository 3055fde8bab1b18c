import { ApiError } from '@mokuroku/contract/call'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { toast } from '#ui/toast.ts'
import { messageOf } from './errors.ts'

interface Meta extends Record<string, unknown> {
  /** The screen shows the failure itself; no toast. */
  quiet?: boolean
  /** What failed, in the screen's words ('Failed to update media'); the reason stands below it. */
  failure?: string
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

// Without a connection a call fails and says so. Otherwise it would wait without a word until there is one, and a save
// that was given up by then would be sent all the same.
const networkMode = 'always'

/** Specification 9: fresh for 5 minutes, 1 retry, no refetch on focus. A refusal is not asked again. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode, staleTime: 5 * 60_000, retry, refetchOnWindowFocus: false, refetchOnReconnect: true },
    mutations: { networkMode },
  },
  queryCache: new QueryCache({ onError: (error, query) => tell(error, query.meta) }),
  mutationCache: new MutationCache({ onError: (error, _variables, _result, mutation) => tell(error, mutation.meta) }),
})

function retry(failures: number, error: Error) {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return failures < 1 && !refused
}

function tell(error: Error, meta: Meta | undefined) {
  console.error(error)
  // The end of the session has been told already, once, by whoever found out first.
  if (meta?.quiet || (error instanceof ApiError && error.status === 401)) return
  if (meta?.failure) toast.error(meta.failure, messageOf(error))
  else toast.error(messageOf(error))
}

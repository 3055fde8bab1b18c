import { ApiError } from '@mokuroku/contract/call'
import { shownAt, type Subject, writtenBy } from '@mokuroku/contract/freshness'
import type { Route } from '@mokuroku/contract/route'
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { toast } from '#ui/toast.ts'
import { messageOf, reasonOf, stockOf } from './errors.ts'

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

/** docs/behaviour.md#limits: fresh for 5 minutes, 1 retry, no refetch on focus. A 4xx is not retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode, staleTime: 5 * 60_000, retry, refetchOnWindowFocus: false, refetchOnReconnect: true },
    mutations: { networkMode },
  },
  queryCache: new QueryCache({ onError: (error, query) => reportError(error, query.meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => reportError(error, mutation.meta),
    // After the mutation's own onSuccess, which may leave the screen of something that is gone.
    onSettled: () => refreshed(),
  }),
})

/** What was written since the screen was last brought up to date. */
let written = new Set<Subject>()

/**
 * Marks every cached answer as outdated that shows what a call of this route writes. `call` and the uploads do this by
 * themselves. What is on screen is asked again when the mutation that wrote has settled, or at once outside of one;
 * everything else when it is next shown.
 */
export function wrote(route: Route, { refresh = true }: { refresh?: boolean | undefined } = {}): void {
  const kinds = new Set(writtenBy(route))
  if (kinds.size === 0) return
  void queryClient.invalidateQueries({ predicate: showing(kinds), refetchType: 'none' })
  if (!refresh) return
  for (const kind of kinds) written.add(kind)
  if (queryClient.isMutating() === 0) void refreshed()
}

/** Asks again for what is on screen and was written to; resolves when it is there. */
export async function refreshed(): Promise<void> {
  if (written.size === 0) return
  const kinds = written
  written = new Set()
  await queryClient.invalidateQueries({ predicate: showing(kinds) })
}

const showing =
  (kinds: ReadonlySet<Subject>) =>
  ({ queryKey: [path] }: Query): boolean =>
    typeof path === 'string' && (shownAt(path)?.some((kind) => kinds.has(kind)) ?? false)

function retry(failures: number, error: Error) {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return failures < 1 && !refused
}

function reportError(error: Error, meta: Meta | undefined) {
  console.error(error)
  // The end of the session has been told already, once, by whoever found out first.
  if (meta?.quiet || (error instanceof ApiError && error.status === 401)) return
  if (meta?.failure) toast.error(meta.failure, messageOf(error))
  else toast.error(stockOf(error), reasonOf(error))
}

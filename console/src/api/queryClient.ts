import { ApiError } from '@mokuroku/contract/call'
import { shownAt, type Subject, writtenBy } from '@mokuroku/contract/freshness'
import type { Route } from '@mokuroku/contract/route'
import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { lostConnection } from './connection.ts'
import { toast } from '#ui/toast.ts'
import { messageOf, reasonOf, requestIdOf, stockOf } from '#i18n/errors.ts'

interface Meta extends Record<string, unknown> {
  /** The screen shows the error itself; no toast. */
  quiet?: boolean
  /** Title of the error toast ('Failed to update media'); the reason is shown below it. */
  failure?: string
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: Meta
    mutationMeta: Meta
  }
}

// When offline, a call fails immediately with a message. By default it would be paused silently until the browser is
// back online, and a save that the user has given up by then would still be sent.
const networkMode = 'always'

/** docs/behaviour.md#limits: fresh for 5 minutes, 1 retry, no refetch on focus. A 4xx or a timeout is not retried. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { networkMode, staleTime: 5 * 60_000, retry, refetchOnWindowFocus: false, refetchOnReconnect: true },
    mutations: { networkMode },
  },
  queryCache: new QueryCache({
    // Without data, the screen shows the error in place; with `failure`, the query has no place of its own. Of a lost
    // connection, one line says so until it is back.
    onError: (error, { state, meta }) =>
      reportError(error, lostConnection.get() || (state.data === undefined && !meta?.failure) ? { quiet: true } : meta),
  }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, mutation) => reportError(error, mutation.meta),
    // Runs after the mutation's own onSuccess, which may navigate away from the screen of a deleted entity. A failed one
    // does not wait for the refetch: what was refused, such as a save with a conflict, can be tried again at once.
    onSettled: (_data, error) => {
      const arrived = refreshed()
      return error ? undefined : arrived
    },
  }),
})

/** Kinds that were written since the queries on screen were last refetched. */
let written = new Set<Subject>()

/**
 * Invalidates every cached query that shows something a call of this route writes. `call` and uploads do so themselves.
 * Queries on screen are refetched when the mutation that wrote has settled, or immediately outside of a mutation; all
 * others when they are next shown.
 */
export function wrote(route: Route): void {
  const kinds = new Set(writtenBy(route))
  if (kinds.size === 0) return
  void queryClient.invalidateQueries({ predicate: showing(kinds), refetchType: 'none' })
  for (const kind of kinds) written.add(kind)
  if (queryClient.isMutating() === 0) void refreshed()
}

/**
 * Refetches the queries on screen that are affected by writes; resolves when they have arrived, also those affected by
 * writes meanwhile: a mutation that is waiting for it is still pending, and will not refetch again.
 */
export async function refreshed(): Promise<void> {
  while (written.size > 0) {
    const kinds = written
    written = new Set()
    await queryClient.invalidateQueries({ predicate: showing(kinds) })
  }
}

const showing =
  (kinds: ReadonlySet<Subject>) =>
  ({ queryKey: [path] }: Query): boolean =>
    typeof path === 'string' && (shownAt(path)?.some((kind) => kinds.has(kind)) ?? false)

function retry(failures: number, error: Error) {
  const refused = error instanceof ApiError && error.status >= 400 && error.status < 500
  return failures < 1 && !refused && !hasTimedOut(error)
}

/** No answer came in time, or a stream fell silent. */
export const hasTimedOut = ({ cause }: Error): boolean => cause instanceof DOMException && cause.name === 'TimeoutError'

function reportError(error: Error, meta: Meta | undefined) {
  console.error(error)
  if (meta?.quiet || isSessionEnd(error)) return
  if (meta?.failure) toastFailure(meta.failure, error)
  else toast.error(stockOf(error), reasonOf(error), requestIdOf(error))
}

/** Shows the error of a call in a toast, by default with its message below the title. */
export function toastFailure(title: string, error: unknown, detail = messageOf(error)): void {
  if (!isSessionEnd(error)) toast.error(title, detail, requestIdOf(error))
}

/** `handleExpiredToken` has reported it already, once. */
const isSessionEnd = (error: unknown) => error instanceof ApiError && error.status === 401

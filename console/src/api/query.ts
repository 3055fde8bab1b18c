import type { Input } from '@mokuroku/contract/call'
import type { Response, Route } from '@mokuroku/contract/route'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call, countedCall } from './call.ts'

/** A query travels as text, so what the schema gives (useUrlState) serves as well as what it takes. */
type AnyQuery<R extends Route> = R['query'] extends z.ZodMiniType
  ? { query?: Partial<z.input<R['query']>> | Partial<z.output<R['query']>> }
  : unknown
type QueryInput<R extends Route> = Omit<Input<R>, 'query' | 'signal' | 'base' | 'body'> & AnyQuery<R>
type Arguments<R extends Route> = object extends QueryInput<R> ? [input?: QueryInput<R>] : [input: QueryInput<R>]

/** What useQuery asks: `useQuery(q(mediaApi.find, { id }))`. Keyed by the route's path and the input. */
export function q<R extends Route>(route: R, ...[input]: Arguments<R>) {
  return queryOptions({ queryKey: keyOf(route, input), queryFn: ({ signal }) => ask(route, input, signal) })
}

/** For lists: as `q`, and the rows of the page before stay on screen while the next ones come. */
export function qList<R extends Route>(route: R, ...[input]: Arguments<R>) {
  return queryOptions({
    queryKey: keyOf(route, input),
    queryFn: ({ signal }) => ask(route, input, signal),
    placeholderData: keepPreviousData,
  })
}

/** As `qList`, for lists that say how many they have in all. */
export function qCountedList<R extends Route & { counted: true }>(route: R, ...[input]: Arguments<R>) {
  return queryOptions({
    queryKey: [...keyOf(route, input), 'counted'],
    queryFn: ({ signal }) => countedCall(route, ...([{ ...(input as object), signal }] as unknown as [Input<R>])),
    placeholderData: keepPreviousData,
  })
}

/**
 * What an editor begins from, or a question tells: always asked anew, and never again while it stands there, also when
 * it was written to. Failures are the screen's.
 */
export function qEdit<R extends Route>(route: R, ...[input]: Arguments<R>) {
  return queryOptions({
    queryKey: ['edit', ...keyOf(route, input)],
    queryFn: ({ signal }) => ask(route, input, signal),
    staleTime: Infinity,
    gcTime: 0,
    meta: { quiet: true },
  })
}

const keyOf = (route: Route, input: unknown) => [route.path, input ?? {}] as const

/** The arguments are those of `call`, but for the looser query. */
const ask = <R extends Route>(route: R, input: unknown, signal: AbortSignal): Promise<Response<R>> =>
  call(route, ...([{ ...(input as object), signal }] as unknown as [Input<R>]))

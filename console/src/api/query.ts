import type { Input } from '@mokuroku/contract/call'
import type { Response, Route } from '@mokuroku/contract/route'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { call, countedCall } from './call.ts'

/** A query is sent as text, so both the input and the output type of its schema (from useUrlState) are accepted. */
type AnyQuery<R extends Route> = R['query'] extends z.ZodMiniType
  ? { query?: Partial<z.input<R['query']>> | Partial<z.output<R['query']>> }
  : unknown
type QueryInput<R extends Route> = Omit<Input<R>, 'query' | 'signal' | 'base' | 'body'> & AnyQuery<R>
type Arguments<R extends Route> = object extends QueryInput<R> ? [input?: QueryInput<R>] : [input: QueryInput<R>]

/**
 * Query options for useQuery: `useQuery(q(mediaApi.find, { id }))`. The query key is the route's path and the input.
 */
export function q<R extends Route>(route: R, ...[input]: Arguments<R>) {
  return queryOptions({ queryKey: keyOf(route, input), queryFn: ({ signal }) => ask(route, input, signal) })
}

/** As `q`, for lists: the previous page's rows stay on screen while the next page loads. */
export function qList<R extends Route>(route: R, ...[input]: Arguments<R>) {
  return queryOptions({
    queryKey: keyOf(route, input),
    queryFn: ({ signal }) => ask(route, input, signal),
    placeholderData: keepPreviousData,
  })
}

/** As `qList`, for lists that return their total count. */
export function qCountedList<R extends Route & { counted: true }>(route: R, ...[input]: Arguments<R>) {
  return queryOptions({
    queryKey: [...keyOf(route, input), 'counted'],
    queryFn: ({ signal }) => countedCall(route, ...([{ ...(input as object), signal }] as unknown as [Input<R>])),
    placeholderData: keepPreviousData,
  })
}

/**
 * For the initial data of an editor or a dialog: always fetched when it opens, and never refetched while it is open,
 * not even after a write. The screen shows errors itself.
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

/** `input` is that of `call`, with the looser query type. */
const ask = <R extends Route>(route: R, input: unknown, signal: AbortSignal): Promise<Response<R>> =>
  call(route, ...([{ ...(input as object), signal }] as unknown as [Input<R>]))

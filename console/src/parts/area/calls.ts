import type { Total } from '@mokuroku/contract/call'
import type { Route } from '@mokuroku/contract/route'
import type { Uses } from '@mokuroku/contract/uses'
import type { UseQueryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { q, qCountedList, qEdit, qList } from '#api/query.ts'
import type { Fields } from '#lib/editorText.ts'
import type { Area, Rows, Stored } from './area.ts'
import { COLUMNS_PARAM } from './useColumns.ts'

// Here, the routes of a kind are treated as those of any kind, with the input and output that all kinds have.

/** Query options for an entity. The screen shows errors itself. */
export const find = ({ api }: Pick<Area, 'api'>, id: string) =>
  ({ ...q(api.find, of({ id })), meta: { quiet: true } }) as unknown as UseQueryOptions<Stored>

/** Query options for the editor: always fetched, and not refetched while editing. */
export const findToEdit = ({ api }: Area, id: string) =>
  qEdit(api.find, of({ id })) as unknown as UseQueryOptions<Stored>

/** Fetches the current entity, bypassing the cache. */
export const read = ({ api }: Area, id: string) => send(api.find, { id })

export const findUses = (uses: Route, id: string) => qEdit(uses, of({ id })) as unknown as UseQueryOptions<Uses>

/**
 * `base` is the version that the change is based on, `runs` are the AI runs that parts of it came from, and `dropped`
 * are links to deleted entities that it removes. Other links to deleted entities, which are not shown, are kept.
 */
export const update = (
  { api, explain = asItIs }: Pick<Area, 'api' | 'explain'>,
  id: string,
  { body, base, runs, dropped = [] }: { body: Fields; base: number | undefined; runs: string[]; dropped?: string[] },
) => explain(() => send(api.update, { id, body, runs, dropped, ...(base !== undefined && { base }) }), body, id)

export const remove = ({ api, explain = asItIs }: Area, { _id: id, version: base }: Stored) =>
  explain(() => call(api.remove, of({ id, base })))

export const restore = ({ api, explain = asItIs }: Area, id: string) => explain(() => call(api.restore, of({ id })))

/** Query options for the page of a list that the URL specifies. */
export function listRows({ api: { list } }: Area, { ask, rowsOf }: AnyList, address: Record<string, unknown>) {
  const { [COLUMNS_PARAM]: _, ...state } = address
  const input = of({ query: ask?.(state) ?? state })
  if (!isCounted(list)) return { ...qList(list, input), select: rowsOf } as unknown as UseQueryOptions<Rows<Stored>>
  const select = ({ answer, total, isMore }: Partial<Total> & { answer: unknown }) => ({
    total,
    isMore,
    ...rowsOf(answer),
  })
  return { ...qCountedList(list, input), select } as unknown as UseQueryOptions<Rows<Stored>>
}

const isCounted = (route: Route): route is Route & { counted: true } => route.counted === true

type AnyList = Exclude<Area['list'], { Screen: unknown }>

export const send = (route: Route, input: object) => call(route, input) as Promise<Stored>
const of = (input: object) => input
export const asItIs = <T>(act: () => Promise<T>) => act()

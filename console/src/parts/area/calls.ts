import type { Total } from '@mokuroku/contract/call'
import type { Route } from '@mokuroku/contract/route'
import type { Uses } from '@mokuroku/contract/uses'
import type { UseQueryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { q, qCountedList, qEdit, qList } from '#api/query.ts'
import type { Fields } from '#lib/editorText.ts'
import type { Area, Rows, Stored } from './area.ts'
import { COLUMNS_PARAM } from './useColumns.ts'

// The routes of a kind are known here as routes of some kind: what they take and give is what every kind has.

/** What shows a thing asks. Failures are the screen's. */
export const find = ({ api }: Pick<Area, 'api'>, id: string) =>
  ({ ...q(api.find, of({ id })), meta: { quiet: true } }) as unknown as UseQueryOptions<Stored>

/** What its editor begins from: always asked anew, and never again while it is being edited. */
export const findToEdit = ({ api }: Area, id: string) =>
  qEdit(api.find, of({ id })) as unknown as UseQueryOptions<Stored>

/** A thing as it stands now, past what is kept. */
export const read = ({ api }: Area, id: string) => send(api.find, { id })

export const findUses = (uses: Route, id: string) => qEdit(uses, of({ id })) as unknown as UseQueryOptions<Uses>

export const create = ({ api, explain = asItIs }: Area, body: Fields, runs: string[]) =>
  explain(() => send(api.create, { body, runs }), body)

/**
 * `base` is the version the change was made from, `runs` the AI answers that parts of it are from, and `dropped` the
 * links into the trash that it takes out: the others, which nothing shows, are kept.
 */
export const update = (
  { api, explain = asItIs }: Area,
  id: string,
  { body, base, runs, dropped = [] }: { body: Fields; base: number | undefined; runs: string[]; dropped?: string[] },
) => explain(() => send(api.update, { id, body, runs, dropped, ...(base !== undefined && { base }) }), body, id)

export const remove = ({ api, explain = asItIs }: Area, { _id: id, version: base }: Stored) =>
  explain(() => call(api.remove, of({ id, base })))

export const restore = ({ api, explain = asItIs }: Area, id: string) => explain(() => call(api.restore, of({ id })))

/** What a list asks for the page that the address says. */
export function listRows({ api: { list } }: Area, { ask, rowsOf }: AnyList, address: Record<string, unknown>) {
  const { [COLUMNS_PARAM]: _, ...state } = address
  const input = of({ query: ask?.(state) ?? state })
  if (!isCounted(list)) return { ...qList(list, input), select: rowsOf } as unknown as UseQueryOptions<Rows<Stored>>
  const select = ({ answer, total, isMore }: Total & { answer: unknown }) => ({ total, isMore, ...rowsOf(answer) })
  return { ...qCountedList(list, input), select } as unknown as UseQueryOptions<Rows<Stored>>
}

const isCounted = (route: Route): route is Route & { counted: true } => route.counted === true

type AnyList = Exclude<Area['list'], { Screen: unknown }>

const send = (route: Route, input: object) => call(route, input) as Promise<Stored>
const of = (input: object) => input
const asItIs = <T>(act: () => Promise<T>) => act()

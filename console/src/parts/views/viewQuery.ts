import { PAGING } from '@mokuroku/contract/lists'
import type { View, ViewInput } from '@mokuroku/contract/views'
import { stringifySearch } from '#lib/urlState.ts'

type Address = Readonly<Record<string, unknown>>
/** The part of a view that is in the list's URL. */
export type ViewQuery = Pick<ViewInput, 'filters' | 'sort' | 'columns'>

const COLUMNS = 'columns'

/** URL parameters of the list for a view. */
export const searchOf = ({ filters, sort, columns }: ViewQuery): Record<string, string> => ({
  ...filters,
  ...(sort && { sort }),
  ...(columns.length > 0 && { [COLUMNS]: columns.join(',') }),
})

/** The view of a list at this URL; `columns` are those that it shows. */
export const viewOf = (address: Address, columns: readonly string[]): ViewQuery => ({
  filters: filtersIn(address),
  sort: typeof address.sort === 'string' && address.sort !== '' ? address.sort : null,
  columns: [...columns],
})

/** Whether the list at this URL shows the view, on any page. */
export const isShown = (view: View, address: Address): boolean =>
  stringifySearch(searchOf(view)) ===
  stringifySearch({ ...filtersIn(address), sort: address.sort, [COLUMNS]: address[COLUMNS] })

const filtersIn = (address: Address): Record<string, string> =>
  Object.fromEntries(
    Object.entries(address)
      .filter(([name, value]) => !PAGING.includes(name) && name !== COLUMNS && (value ?? '') !== '')
      .map(([name, value]) => [name, String(value)]),
  )

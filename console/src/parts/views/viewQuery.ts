import { PAGING } from '@mokuroku/contract/lists'
import type { View, ViewInput } from '@mokuroku/contract/views'
import { stringifySearch } from '#lib/urlState.ts'

type Address = Readonly<Record<string, unknown>>
/** What of a view is the list's address. */
export type ViewQuery = Pick<ViewInput, 'filters' | 'sort' | 'columns'>

const COLUMNS = 'columns'

/** The query of the list that a view stands for. */
export const searchOf = ({ filters, sort, columns }: ViewQuery): Record<string, string> => ({
  ...filters,
  ...(sort && { sort }),
  ...(columns.length > 0 && { [COLUMNS]: columns.join(',') }),
})

/** What a view of the list at this address keeps; `columns` are those that it shows. */
export const viewOf = (address: Address, columns: readonly string[]): ViewQuery => ({
  filters: filtersIn(address),
  sort: typeof address.sort === 'string' && address.sort !== '' ? address.sort : null,
  columns: [...columns],
})

/** Whether the list at this address is the view, on whichever page. */
export const isShown = (view: View, address: Address): boolean =>
  stringifySearch(searchOf(view)) ===
  stringifySearch({ ...filtersIn(address), sort: address.sort, [COLUMNS]: address[COLUMNS] })

const filtersIn = (address: Address): Record<string, string> =>
  Object.fromEntries(
    Object.entries(address)
      .filter(([name, value]) => !PAGING.includes(name) && name !== COLUMNS && (value ?? '') !== '')
      .map(([name, value]) => [name, String(value)]),
  )

import { fieldError } from '@mokuroku/contract/faults'
import { toFieldErrors } from '@mokuroku/contract/issues'
import type { Translated } from '@mokuroku/contract/kinds'
import { PAGING } from '@mokuroku/contract/lists'
import { invalid } from '#lib/errors.ts'
import { definitionOf } from './registry.ts'

/** What of a list's query is no filter of what is kept, or worked through. */
const NO_FILTERS = new Set([...PAGING, 'userId'])

interface Given {
  /** The field of the body that holds the filters. */
  at: string
  sort?: string | null
}

/**
 * Filters of the list of a kind as an address holds them, parsed by the list's query. Throws 400 for those that the list
 * does not have, and for an order that it does not have, each by its name.
 */
export function parseFilters(kind: Translated, filters: Record<string, string>, { at, sort = null }: Given): object {
  const { listQuery } = definitionOf(kind)
  if (!listQuery) throw new Error(`${kind} says no query of its list`)
  const no = Object.keys(filters).filter((name) => NO_FILTERS.has(name))
  if (no.length > 0) invalid(no.map((name) => fieldError(`${at}.${name}`, 'unknown')))
  const parsed = listQuery.safeParse({ ...filters, ...(sort !== null && { sort }) })
  if (parsed.success) return parsed.data
  const faults = toFieldErrors(parsed.error, { ...filters, sort }, 10)
  return invalid(faults.map((fault) => (fault.path === 'sort' ? fault : { ...fault, path: `${at}.${fault.path}` })))
}

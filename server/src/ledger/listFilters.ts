import { fieldError } from '@mokuroku/contract/faults'
import { toFieldErrors } from '@mokuroku/contract/issues'
import type { Translated } from '@mokuroku/contract/kinds'
import { PAGING } from '@mokuroku/contract/lists'
import { invalid } from '#lib/errors.ts'
import { definitionOf } from './registry.ts'

/** Parameters of a list's query that are not filters of a saved view or a work queue. */
const NO_FILTERS = new Set([...PAGING, 'userId'])

interface Given {
  /** The field of the request body that contains the filters. */
  at: string
  sort?: string | null
}

/**
 * Parses filters, as the URL of a list has them, with the query schema of the kind's list. Throws 400 that names each
 * filter or sort order that the list does not have.
 */
export function parseFilters(kind: Translated, filters: Record<string, string>, { at, sort = null }: Given): object {
  const { listQuery } = definitionOf(kind)
  if (!listQuery) throw new Error(`${kind} declares no listQuery`)
  const no = Object.keys(filters).filter((name) => NO_FILTERS.has(name))
  if (no.length > 0) invalid(no.map((name) => fieldError(`${at}.${name}`, 'unknown')))
  const parsed = listQuery.safeParse({ ...filters, ...(sort !== null && { sort }) })
  if (parsed.success) return parsed.data
  const faults = toFieldErrors(parsed.error, { ...filters, sort }, 10)
  return invalid(faults.map((fault) => (fault.path === 'sort' ? fault : { ...fault, path: `${at}.${fault.path}` })))
}

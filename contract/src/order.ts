/** The effective sort order of a list. Relevance requires a search; without one, the list is sorted newest first. */
export function orderOf<Sort extends string>({
  sort: chosen,
  search,
}: {
  sort?: Sort | 'relevance' | undefined
  search?: string | undefined
}): Sort | 'relevance' | '-createdAt' {
  if (search && (chosen === undefined || chosen === 'relevance')) return 'relevance'
  return chosen === undefined || chosen === 'relevance' ? '-createdAt' : chosen
}

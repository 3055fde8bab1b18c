/** The order of a list whose query says `sort` and `search`. By relevance, only what is searched for can be. */
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

interface Stretch {
  offset: number
  limit: number
}

/**
 * The ids of one page, in the order of `ranked` (best match first), limited to those that a query has returned in
 * `rows`.
 */
export function rankedPage(ranked: string[], rows: { _id: string }[], { offset, limit }: Stretch): string[] {
  const left = new Set(rows.map(({ _id }) => _id))
  return ranked.filter((id) => left.has(id)).slice(offset, offset + limit)
}

interface Stretch {
  offset: number
  limit: number
}

/** The ids of one page in the order of `ranked`, the best match first, of those that a query has left in `rows`. */
export function rankedPage(ranked: string[], rows: { _id: string }[], { offset, limit }: Stretch): string[] {
  const left = new Set(rows.map(({ _id }) => _id))
  return ranked.filter((id) => left.has(id)).slice(offset, offset + limit)
}

const SHOWN = 10

/** The newest rows, as many as a search box offers. */
export const newest = <Row extends { createdAt: string }>(rows: Row[]): Row[] =>
  rows.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt)).slice(0, SHOWN)

/** The selection of a list: rows of any page; or, with `isAll`, everything that matches the filters. */
export interface Selection<Row> {
  rows: readonly Row[]
  isAll: boolean
  /** The id of the row where a range starts. */
  anchor: string | undefined
  /** The ids that the last range added: the next range from the same anchor replaces them. */
  range: readonly string[]
}

interface Identified {
  _id: string
}

export const NOTHING: Selection<never> = { rows: [], isAll: false, anchor: undefined, range: [] }

export const isSelected = <Row extends Identified>({ rows, isAll }: Selection<Row>, id: string): boolean =>
  isAll || rows.some(({ _id }) => _id === id)

/** Toggles one row of a page. If everything was selected, the other rows of the page stay selected. */
export function toggled<Row extends Identified>(
  selection: Selection<Row>,
  id: string,
  page: readonly Row[],
): Selection<Row> {
  const { isAll } = selection
  const rows = isAll ? page : selection.rows
  const has = isSelected({ ...selection, rows, isAll: false }, id)
  const others = rows.filter(({ _id }) => _id !== id)
  const added = page.filter(({ _id }) => _id === id)
  return { rows: has ? others : [...rows, ...added], isAll: false, anchor: id, range: [] }
}

/** Selects the rows between the anchor and a row of the same page, replacing the previous range. */
export function extended<Row extends Identified>(
  selection: Selection<Row>,
  id: string,
  page: readonly Row[],
): Selection<Row> {
  if (selection.isAll) return selection
  const to = page.findIndex(({ _id }) => _id === id)
  const anchored = page.findIndex(({ _id }) => _id === selection.anchor)
  const from = anchored < 0 ? to : anchored
  const between = page.slice(Math.min(from, to), Math.max(from, to) + 1)
  const kept = selection.rows.filter(({ _id }) => !selection.range.includes(_id))
  const added = between.filter(({ _id }) => !kept.some((row) => row._id === _id))
  return { rows: [...kept, ...added], isAll: false, anchor: page[from]?._id, range: added.map(({ _id }) => _id) }
}

/** Selects all rows of a page, or deselects them if all are selected already. */
export function pageToggled<Row extends Identified>(selection: Selection<Row>, page: readonly Row[]): Selection<Row> {
  const others = selection.isAll ? [] : selection.rows.filter(({ _id }) => !page.some((row) => row._id === _id))
  const isWhole = page.every(({ _id }) => isSelected(selection, _id))
  return { ...NOTHING, rows: isWhole ? others : [...others, ...page] }
}

import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './Table.module.css'
import { Row } from './layout.tsx'
import { useRowKeys } from './useRowKeys.ts'

export interface Column<Row> {
  key: string
  head: string
  cell(row: Row): ReactNode
  align?: 'right'
  /** A CSS length; the first column takes the remaining width. */
  width?: string
  /** Hidden when the window is too narrow for the titles; 1 is hidden first. */
  spare?: 1 | 2 | 3
  /** On phones, its cells have a line of their own. */
  isWide?: boolean
  /** Hidden unless the user chooses it. */
  isExtra?: boolean
  /** The row's buttons: last column, dimmed until the row is hovered or focused. */
  actions?: boolean
  sort?: Sort
  /** Placeholder for the cell while loading, if the default bar does not fit. */
  skeleton?: ReactNode
}

export interface Sort {
  /** The current order of this column. */
  order: 'ascending' | 'descending' | 'none'
  /** Called when the column header is pressed. */
  onPress: () => void
}

interface Props<Row> {
  /** Accessible name. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Shown without rows. */
  empty: ReactNode
  /** If rows can be selected: whether one is, and its checkbox. */
  selection?: { isSelected(row: Row): boolean; box(row: Row): ReactNode } | undefined
  /** On phones, cells run on beside the actions, and only extra columns have labels: the others explain themselves. */
  isDense?: boolean | undefined
}

/**
 * A table on wide screens, cards on phones. The first link of a row is its main one: j and k move between these, Enter
 * opens. Roles are explicit, because cells with another `display` lose their implicit table roles.
 */
export function Table<Row>({ label, columns, rows, rowKey, empty, selection, isDense }: Props<Row>) {
  useRowKeys()
  if (rows.length === 0) return empty
  return (
    <table role="table" className={css.table} data-list data-dense={isDense} aria-label={label}>
      <Head columns={columns} />
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row" className={css.row} data-list-row aria-selected={selection?.isSelected(row)}>
            {columns.map((column, index) => (
              <td
                key={column.key}
                role="cell"
                data-spare={column.spare}
                className={cellClass(column)}
                data-label={isDense && !column.isExtra ? undefined : column.head}
              >
                {index === 0 && selection ? (
                  <Row gap={1}>
                    {selection.box(row)}
                    <div className={css.led}>{column.cell(row)}</div>
                  </Row>
                ) : (
                  column.cell(row)
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Skeleton of a table: it has the same columns, to avoid a layout shift when the rows arrive. */
export function TableSkeleton<Row>({
  columns,
  rows = 10,
  isDense,
}: Pick<Props<Row>, 'columns' | 'isDense'> & { rows?: number }) {
  return (
    <table role="table" className={css.table} data-dense={isDense} inert>
      <Head columns={columns} />
      <tbody role="rowgroup">
        {Array.from({ length: rows }, (_, row) => (
          <tr key={row} role="row" className={css.row}>
            {columns.map((column, index) => (
              <td key={column.key} role="cell" data-spare={column.spare} className={cellClass(column)}>
                {column.skeleton ??
                  (!column.actions && <span className={css.bar} data-first={index === 0 || undefined} />)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Head<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <thead role="rowgroup" className={css.head}>
      <tr role="row">
        {columns.map(({ key, head, width, align, actions, sort, spare }) => (
          <th
            key={key}
            role="columnheader"
            scope="col"
            style={{ width }}
            data-spare={spare}
            data-actions={actions}
            className={align || actions ? css.right : ''}
            aria-sort={sort?.order}
          >
            {sort ? <SortButton {...sort} head={head} /> : head}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function SortButton({ head, order, onPress }: Sort & { head: string }) {
  const Arrow = order === 'ascending' ? ArrowUp : ArrowDown
  return (
    <button type="button" className={css.sort} onClick={onPress}>
      {head}
      <Arrow size={14} aria-hidden data-idle={order === 'none' || undefined} />
    </button>
  )
}

const cellClass = ({ align, isWide, actions }: Column<never>) =>
  [align && css.right, isWide && css.wide, actions && `${css.actions} ${css.dimmed}`].filter(Boolean).join(' ')

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
  /** A CSS length; the first column takes what is left. */
  width?: string
  /** Left out where the window is too narrow for the title: 1 goes first. */
  spare?: 1 | 2 | 3
  /** Shown only where it is chosen. */
  isExtra?: boolean
  /** The buttons of the row: last, and quiet until the row is reached. */
  actions?: boolean
  sort?: Sort
  /** The shape of the cell while its row is on its way, when a bar is not enough. */
  skeleton?: ReactNode
}

export interface Sort {
  /** How the rows are sorted by this column now. */
  now: 'ascending' | 'descending' | 'none'
  /** The head was pressed. */
  next: () => void
}

interface Props<Row> {
  /** What the table holds, for who cannot see the title above it. */
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** What stands there without rows. */
  empty: ReactNode
  /** Where rows can be selected: whether one is, and the box that selects it. */
  selection?: { isSelected(row: Row): boolean; box(row: Row): ReactNode } | undefined
}

/**
 * A table on a desk, cards on a phone. The first link of a row is its main one: j and k move between them, Enter opens.
 * Roles are written out because cells that are laid out as cards lose those of the table.
 */
export function Table<Row>({ label, columns, rows, rowKey, empty, selection }: Props<Row>) {
  useRowKeys()
  if (rows.length === 0) return empty
  return (
    <table role="table" className={css.table} data-list aria-label={label}>
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
                data-label={column.head}
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

/** A table whose rows are still on their way: the columns stand, so nothing moves when the rows come. */
export function TableSkeleton<Row>({ columns, rows = 10 }: { columns: readonly Column<Row>[]; rows?: number }) {
  return (
    <table role="table" className={css.table} inert>
      <Head columns={columns} />
      <tbody role="rowgroup">
        {Array.from({ length: rows }, (_, row) => (
          <tr key={row} role="row" className={css.row}>
            {columns.map((column, index) => (
              <td key={column.key} role="cell" data-spare={column.spare} className={cellClass(column)}>
                {column.skeleton ??
                  (!column.actions && <span className={css.bone} data-first={index === 0 || undefined} />)}
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
            className={align || actions ? css.right : ''}
            aria-sort={sort?.now}
          >
            {sort ? <SortButton {...sort} head={head} /> : head}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function SortButton({ head, now, next }: Sort & { head: string }) {
  const Arrow = now === 'ascending' ? ArrowUp : ArrowDown
  return (
    <button type="button" className={css.sort} onClick={next}>
      {head}
      <Arrow size={14} aria-hidden data-idle={now === 'none' || undefined} />
    </button>
  )
}

const cellClass = ({ align, actions }: Column<never>) => `${align ? css.right : ''} ${actions ? css.actions : ''}`

import { type KeyboardEvent, useRef, useState } from 'react'
import { isComposing } from './composing.ts'

/** A cell by its row and column, both 0-based. */
export interface Position {
  row: number
  column: number
}

/**
 * A grid with a roving tabindex, and the keys that move the focus. The ids of its rows and columns keep the focus on its
 * cell if others are added or removed.
 */
export function useGrid(rows: readonly string[], columns: readonly string[]) {
  const [kept, setKept] = useState<Position & { ids?: readonly [string | undefined, string | undefined] }>(FIRST)
  const grid = useRef<HTMLTableElement>(null)
  const inside = ({ row, column }: Position): Position => ({
    row: Math.max(0, Math.min(rows.length - 1, row)),
    column: Math.max(0, Math.min(columns.length - 1, column)),
  })
  const setAt = ({ row, column }: Position) => setKept({ row, column, ids: [rows[row], columns[column]] })
  const { ids: [row = '', column = ''] = [] } = kept
  const at = inside({
    row: rows.includes(row) ? rows.indexOf(row) : kept.row,
    column: columns.includes(column) ? columns.indexOf(column) : kept.column,
  })
  const focus = (wanted: Position) => {
    const next = inside(wanted)
    setAt(next)
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${next.row} ${next.column}"]`)
    cell?.focus()
    // Browsers scroll to the beginning of a field's text only.
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  /** Handles a key; returns false if it does not move the focus. */
  const onMove = (event: KeyboardEvent): boolean => {
    if (isComposing(event.nativeEvent) || event.altKey) return false
    const next = goal(event.key, event.ctrlKey || event.metaKey, at, {
      row: rows.length - 1,
      column: columns.length - 1,
    })
    if (!next) return false
    event.preventDefault()
    focus(next)
    return true
  }
  return { at, setAt, grid, focus, onMove }
}

const FIRST: Position = { row: 0, column: 0 }

/** How many rows Page Up and Page Down move. */
const PAGE = 10

function goal(key: string, isFar: boolean, { row, column }: Position, last: Position): Position | undefined {
  const goals: Record<string, Position> = {
    ArrowUp: { row: isFar ? 0 : row - 1, column },
    ArrowDown: { row: isFar ? last.row : row + 1, column },
    ArrowLeft: { row, column: isFar ? 0 : column - 1 },
    ArrowRight: { row, column: isFar ? last.column : column + 1 },
    Home: { row: isFar ? 0 : row, column: 0 },
    End: { row: isFar ? last.row : row, column: last.column },
    PageUp: { row: row - PAGE, column },
    PageDown: { row: row + PAGE, column },
  }
  return goals[key]
}

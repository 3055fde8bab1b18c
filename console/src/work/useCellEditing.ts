import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { useMe } from '#api/session.ts'
import type { Area } from '#parts/area/area.ts'
import { toast } from '#ui/toast.ts'
import type { MatrixRow, MatrixStore } from './matrix.ts'
import { pastedCells } from './paste.ts'
import { type Position, useGrid } from '#ui/useGrid.ts'

interface Options {
  area: Area
  matrix: MatrixStore
  languages: readonly string[]
}

export type CellEditing = ReturnType<typeof useCellEditing>

/** State of the matrix: the focused cell, the edited cell, and a pending paste. */
export function useCellEditing({ area, matrix, languages }: Options, rows: readonly MatrixRow[]) {
  const me = useMe()
  const { at, setAt, grid, focus, onMove } = useGrid(rows.length, languages.length)
  /** The cell being edited, and its initial text. */
  const [edited, setEdited] = useState<Position & { text: string }>()
  const [pasted, setPasted] = useState<string[][]>()
  const placeAt = ({ row, column }: Position) => ({ id: rows[row]?._id ?? '', language: languages[column] ?? '' })
  const begin = (position: Position, text = matrix.textOf(placeAt(position))) => {
    const row = rows[position.row]
    const refusal = row && area.refusals(me).edit(row)
    if (refusal) toast.info(refusal)
    else setEdited({ ...position, text })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (edited || onMove(event)) return
    if (event.key !== 'Enter' && event.key !== 'F2') return
    event.preventDefault()
    begin(at)
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    // A picture or a file, which would empty the cell.
    if (text.trim() === '') return
    const cells = pastedCells(text)
    const one = cells.length === 1 && cells[0]?.length === 1 ? cells[0][0] : undefined
    // The box inserts a line itself.
    if (edited && one?.includes('\n') === false) return
    event.preventDefault()
    if (one !== undefined && !edited) return begin(at, one)
    setEdited(undefined)
    setPasted(cells)
  }
  return {
    at,
    setAt,
    grid,
    placeAt,
    edited,
    begin,
    /** Ends editing and moves the focus; without a text, the cell is unchanged. */
    end: (text: string | undefined, next: Position = at) => {
      if (text === undefined) matrix.discard(placeAt(at))
      else matrix.write(placeAt(at), text)
      setEdited(undefined)
      focus(next)
    },
    /** Ends editing because the input lost the focus. */
    leave: (position: Position, text: string) => {
      matrix.write(placeAt(position), text)
      setEdited(undefined)
    },
    onKeyDown,
    onPaste,
    pasted,
    endPaste: () => {
      setPasted(undefined)
      focus(at)
    },
  }
}

import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { useMe } from '#api/session.ts'
import type { Area } from '#parts/area/area.ts'
import { isComposing } from '#ui/composing.ts'
import { toast } from '#ui/toast.ts'
import type { MatrixStore } from './matrix.ts'
import type { MatrixRow } from './matrixState.ts'
import { pastedCells } from './paste.ts'
import { workTexts } from './texts.ts'
import { type Position, useGrid } from '#ui/useGrid.ts'

interface Options {
  area: Area
  matrix: MatrixStore
  languages: readonly string[]
}

/** The cell being edited, and its initial text. `isTyped`: opened by typing into it. */
type Edited = Position & { text: string; isTyped?: true }

export type CellEditing = ReturnType<typeof useCellEditing>

/** State of the matrix: the focused cell, the edited cell, and a pending paste. */
export function useCellEditing({ area, matrix, languages }: Options, rows: readonly MatrixRow[]) {
  const me = useMe()
  const { at, setAt, grid, focus, onMove } = useGrid(
    rows.map(({ _id }) => _id),
    languages,
  )
  const [edited, setEdited] = useState<Edited>()
  const [pasted, setPasted] = useState<string[][]>()
  const placeAt = ({ row, column }: Position) => ({ id: rows[row]?._id ?? '', language: languages[column] ?? '' })
  const refusalAt = ({ row }: Position) => {
    const entity = rows[row]
    return entity && area.refusals(me).edit(entity)
  }
  /** Acts on the focused cell, or says why the user may not. */
  const ifAllowed = (position: Position, act: () => void) => {
    const refusal = refusalAt(position)
    if (refusal) toast.info(refusal)
    else act()
  }
  const begin = (position: Position, text = matrix.textOf(placeAt(position))) =>
    ifAllowed(position, () => {
      setAt(position)
      setEdited({ ...position, text })
    })
  const undo = () => {
    const place = matrix.undo()
    if (!place) return toast.info(workTexts.get().nothingToUndo)
    focus({ row: rows.findIndex(({ _id }) => _id === place.id), column: languages.indexOf(place.language) })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (edited || isComposing(event.nativeEvent) || onMove(event)) return
    const act = actionOf(event)
    if (!act) return
    event.preventDefault()
    act()
  }
  function actionOf({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): (() => void) | undefined {
    if (ctrlKey || metaKey) return key.toLowerCase() === 'z' && !altKey && !shiftKey ? undo : undefined
    if (key === 'Enter' || key === 'F2') return () => begin(at)
    if (key === 'Delete' || key === 'Backspace')
      return () => ifAllowed(at, () => matrix.write([{ place: placeAt(at), text: '' }]))
    // The box of the cell takes in characters itself, unless the user may not edit it.
    return key.length === 1 && !altKey && refusalAt(at) ? () => begin(at) : undefined
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    // A picture or a file, which would empty the cell.
    if (text.trim() === '') return edited ? undefined : event.preventDefault()
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
    focus,
    placeAt,
    refusalAt,
    edited,
    begin,
    /** Begins editing with what was typed into the focused cell. */
    type: (position: Position, text: string) => setEdited({ ...position, text, isTyped: true }),
    undo,
    /** Ends editing and moves the focus; without a text, the cell is unchanged. */
    end: (text: string | undefined, next: Position = at) => {
      if (text === undefined) matrix.discard(placeAt(at))
      else matrix.write([{ place: placeAt(at), text }])
      setEdited(undefined)
      focus(next)
    },
    /** Ends editing because the input lost the focus. */
    leave: (position: Position, text: string) => {
      matrix.write([{ place: placeAt(position), text }])
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

import { isComposing } from './composing.ts'
import { focusScreen } from './focusScreen.ts'

/** The row that had the focus last, then those after it, then those before it, the nearest one first. */
let lastRows: readonly Element[] = []

/**
 * Escape moves the focus from the search, filters and pager of a list to its first row; without rows, to the screen.
 * Also remembers which row had the focus last, for `focusLastRow`.
 */
export function escapeToRows() {
  document.addEventListener('focusin', ({ target }) => {
    const row = target instanceof Element ? target.closest('[data-list-row]') : null
    if (!row) return
    const rows = [...document.querySelectorAll('[data-list-row]')]
    const at = rows.indexOf(row)
    lastRows = [...rows.slice(at), ...rows.slice(0, at).toReversed()]
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || !isListField(event.target)) return
    // Prevents the browser from clearing the field.
    event.preventDefault()
    focusRows()
  })
}

/** Focuses the first row of a list; without rows, the screen. */
function focusRows() {
  const row = document.querySelector<HTMLElement>('main [data-list-row] :is(a, button)')
  if (row) row.focus()
  else focusScreen()
}

/** Focuses the row that had the focus last, or the nearest one that is left; without any, as `focusRows`. */
export function focusLastRow() {
  const row = lastRows.find((each) => each.isConnected)?.querySelector<HTMLElement>('a, button')
  if (row) row.focus()
  else focusRows()
}

const isListField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input, select') &&
  target.closest('main') !== null &&
  target.closest('search, [role="search"], input[type="search"], nav') !== null &&
  target.closest('dialog') === null

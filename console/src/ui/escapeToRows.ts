import { isComposing } from './composing.ts'
import { focusScreen } from './focusScreen.ts'

/** Escape moves the focus from the search, filters and pager of a list to its first row; without rows, to the screen. */
export function escapeToRows() {
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || !isListField(event.target)) return
    // Prevents the browser from clearing the field.
    event.preventDefault()
    focusRows()
  })
}

/** Focuses the first row of a list; without rows, the screen. */
export function focusRows() {
  const row = document.querySelector<HTMLElement>('main [data-list-row] :is(a, button)')
  if (row) row.focus()
  else focusScreen()
}

const isListField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input, select') &&
  target.closest('main') !== null &&
  target.closest('search, [role="search"], input[type="search"], nav') !== null &&
  target.closest('dialog') === null

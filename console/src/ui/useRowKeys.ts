import { useEffect } from 'react'
import { isComposing } from './composing.ts'
import { focusScreen } from './focusScreen.ts'
import { useShortcut } from './useShortcut.ts'

/** Escape moves the focus from the search and filters of a list to its first row; without rows, to the screen. */
export function useEscapeToRows() {
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event) || !isSearch(event.target)) return
      // Prevents the browser from clearing the field.
      event.preventDefault()
      focusRows()
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/** Focuses the first row of a list; without rows, the screen. */
export function focusRows() {
  const row = document.querySelector<HTMLElement>('main [data-list-row] :is(a, button)')
  if (row) row.focus()
  else focusScreen()
}

const isSearch = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.matches('input, select') &&
  target.closest('main') !== null &&
  target.closest('search, [role="search"], input[type="search"]') !== null &&
  target.closest('dialog') === null

/** j and k move between the main links of rows or cards (`data-list-row`); Enter follows the link. */
export function useRowKeys() {
  useShortcut('j', () => stepRow(1))
  useShortcut('k', () => stepRow(-1))
}

/** Focuses the main link of the next or previous row; returns false if there is none. */
export function stepRow(by: 1 | -1) {
  const rows = [...document.querySelectorAll('[data-list-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const link = rows[at < 0 && by < 0 ? rows.length - 1 : at + by]?.querySelector<HTMLElement>('a, button')
  link?.focus()
  return link !== undefined && link !== null
}

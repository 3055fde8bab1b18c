import { focusLastRow } from './escapeToRows.ts'
import { useShortcut } from './useShortcut.ts'

/** What acts on rows, or shows one, beside them: from there, j and k return to the row. */
const BESIDE_ROWS = '[data-selection], [data-comparison]'

/** j and k move between the main links of rows or cards (`data-list-row`); Enter follows the link. */
export function useRowKeys() {
  useShortcut('j', () => stepRow(1))
  useShortcut('k', () => stepRow(-1))
}

/** Focuses the main link of the next or previous row; returns false if there is none. */
export function stepRow(by: 1 | -1) {
  const rows = [...document.querySelectorAll('[data-list-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  if (rows.length > 0 && document.activeElement?.closest(BESIDE_ROWS)) {
    focusLastRow()
    return true
  }
  const link = rows[at < 0 && by < 0 ? rows.length - 1 : at + by]?.querySelector<HTMLElement>('a, button')
  link?.focus()
  return link !== undefined && link !== null
}

import { useShortcut } from './useShortcut.ts'

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

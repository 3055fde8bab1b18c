import { useShortcut } from './useShortcut.ts'

/** j and k move between the main links of the list's rows or cards (`data-list-row`); Enter is the link's own. */
export function useRowKeys() {
  useShortcut('j', () => step(1))
  useShortcut('k', () => step(-1))
}

/** Focuses the main link of the next or previous row; false when there is nowhere to go. */
function step(by: 1 | -1) {
  const rows = [...document.querySelectorAll('[data-list-row]')]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const link = rows[at < 0 && by < 0 ? rows.length - 1 : at + by]?.querySelector<HTMLElement>('a, button')
  link?.focus()
  return link !== undefined && link !== null
}

import { isCovered, isTyping } from '#ui/useShortcut.ts'

/**
 * Moves the focus to what the entry that has loaded asks for. That may be late: the focus stays where the user works by
 * then, such as the choice of the language, the search or a dialog.
 */
export function focusOnArrival(element: HTMLElement | null | undefined) {
  const { activeElement, body } = document
  const isFree = activeElement === body || (activeElement?.closest('main') && !isTyping(activeElement))
  if (isFree && !isCovered()) element?.focus()
}

import { isComposing } from './composing.ts'
import { dismiss, toasts } from './toast.ts'
import { IS_MAC, isCovered, isTyping, keyOf } from './useShortcut.ts'

/**
 * Ctrl+Z, or ⌘Z on a Mac, is Undo of the newest toast that has it; without one, of the result of a change to selected
 * rows, but not of an import, which may be old. Where it undoes something else, it is not: in text fields, in an editor
 * and in the matrix.
 */
export function undoByKey() {
  // On the window, so that all shortcuts of the document come first.
  window.addEventListener('keydown', (event) => {
    if (!isUndo(event) || event.defaultPrevented || event.repeat || isTyping(event.target) || isComposing(event)) return
    const last = toasts.get().findLast(({ undo }) => undo)
    const ofBatch = isCovered() ? null : document.querySelector<HTMLElement>('[data-selection] [data-undo]')
    if (last) {
      dismiss(last.id)
      last.undo?.()
    } else if (ofBatch) ofBatch.click()
    else return
    event.preventDefault()
  })
}

const isUndo = (event: KeyboardEvent) =>
  (IS_MAC ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey && keyOf(event).toLowerCase() === 'z'

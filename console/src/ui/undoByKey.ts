import { isComposing } from './composing.ts'
import { dismiss, toasts } from './toast.ts'
import { IS_MAC, isTyping, keyOf } from './useShortcut.ts'

/**
 * Ctrl+Z, or ⌘Z on a Mac, is Undo of the newest toast that has it, except where it undoes something else: in text fields,
 * in an editor and in the matrix.
 */
export function undoByKey() {
  // On the window, so that all shortcuts of the document come first.
  window.addEventListener('keydown', (event) => {
    if (!isUndo(event) || event.defaultPrevented || event.repeat || isTyping(event.target) || isComposing(event)) return
    const last = toasts.get().findLast(({ undo }) => undo)
    if (!last) return
    event.preventDefault()
    dismiss(last.id)
    last.undo?.()
  })
}

const isUndo = (event: KeyboardEvent) =>
  (IS_MAC ? event.metaKey : event.ctrlKey) && !event.altKey && !event.shiftKey && keyOf(event).toLowerCase() === 'z'

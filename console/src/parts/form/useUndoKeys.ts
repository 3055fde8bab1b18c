import type { RefObject } from 'react'
import { isCovered, isTyping, useShortcut } from '#ui/useShortcut.ts'

interface Options {
  isReadOnly: boolean
  onUndo: () => void
  onRedo: () => void
}

/**
 * Both views share one undo history: undo applies to the document wherever the focus is, except in a field whose text is
 * not part of it. `root` has the fields whose text is.
 */
export function useUndoKeys(root: RefObject<HTMLElement | null>, { isReadOnly, onUndo, onRedo }: Options) {
  const isOwn = ({ target }: KeyboardEvent) => {
    if (!(target instanceof HTMLElement) || !isTyping(target) || target instanceof HTMLSelectElement) return true
    if (!root.current?.contains(target)) return false
    // An empty field has nothing of its own to undo.
    return !target.closest('[data-own-undo]') || (target instanceof HTMLInputElement && target.value === '')
  }
  const act = (event: KeyboardEvent, run: () => void) => {
    if (isReadOnly || !isOwn(event) || isCovered()) return false
    run()
    return true
  }
  useShortcut('mod+z', (event) => act(event, event.shiftKey ? onRedo : onUndo))
  useShortcut('mod+y', (event) => act(event, onRedo))
}

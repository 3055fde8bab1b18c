import type { RefObject } from 'react'
import { isCovered, isTyping, useShortcut } from '#ui/useShortcut.ts'

/** The editor of the text, once it has been rendered. */
export type History = RefObject<{ undo: () => void; redo: () => void } | null>

/**
 * Both views share one undo history: undo applies to the document wherever the focus is, except in a field whose text is
 * not part of it. `root` has the fields whose text is.
 */
export function useUndoKeys(root: RefObject<HTMLElement | null>, history: History, isReadOnly: boolean) {
  const isOwn = ({ target }: KeyboardEvent) => {
    if (!(target instanceof HTMLElement) || !isTyping(target) || target instanceof HTMLSelectElement) return true
    if (!root.current?.contains(target)) return false
    // An empty field has nothing of its own to undo.
    return !target.closest('[data-own-undo]') || (target instanceof HTMLInputElement && target.value === '')
  }
  const act = (event: KeyboardEvent, step: 'undo' | 'redo') => {
    if (isReadOnly || !isOwn(event) || isCovered()) return false
    history.current?.[step]()
    return true
  }
  useShortcut('mod+z', (event) => act(event, event.shiftKey ? 'redo' : 'undo'))
  useShortcut('mod+y', (event) => act(event, 'redo'))
}

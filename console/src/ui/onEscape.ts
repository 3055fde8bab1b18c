import type { KeyboardEvent } from 'react'
import { isComposing } from './composing.ts'

/** Props of a field or button: Esc does this there, unless it only ends the composing of a word. */
export const onEscape = (act: () => void) => ({
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    act()
  },
})

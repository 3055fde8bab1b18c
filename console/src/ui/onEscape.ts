import type { KeyboardEvent } from 'react'

/** Props of a field or button: Esc does this there, unless it only ends the composing of a word. */
export const onEscape = (act: () => void) => ({
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return
    event.preventDefault()
    act()
  },
})

import type { KeyboardEvent } from 'react'
import { isComposing } from './composing.ts'

/** Props that handle Escape in a field or button, except during IME composition. */
export const onEscape = (act: () => void) => ({
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
    event.preventDefault()
    act()
  },
})

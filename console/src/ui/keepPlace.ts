/** Moves the focus to the screen if the focused element was removed, for example with its row or dialog. */
export const restoreFocus = () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusScreen()
  })

/** Call before removing the focused element, so that the focus is not lost. */
export const focusScreen = () => document.querySelector('main')?.focus()

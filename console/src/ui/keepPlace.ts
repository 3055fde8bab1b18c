/** What had the focus is gone with its row or its dialog: the focus goes to the screen instead of nowhere. */
export const restoreFocus = () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) focusScreen()
  })

/** For what is about to go: the focus would be lost with it. */
export const focusScreen = () => document.querySelector('main')?.focus()

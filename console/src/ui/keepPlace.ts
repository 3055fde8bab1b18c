/** What had the focus is gone with its row or its dialog: the focus goes to the screen instead of nowhere. */
export const keepPlace = () =>
  requestAnimationFrame(() => {
    if (document.activeElement === document.body) document.querySelector('main')?.focus()
  })

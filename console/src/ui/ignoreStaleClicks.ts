/** Buttons, and cells that act like one. */
const PRESSED = 'button, [data-cell]'

/**
 * Ignores a click on a button that has got another name, and with it another meaning, since the press began: a second
 * press within a double click, or one that was held, is not meant for what the first has brought about.
 */
export function ignoreStaleClicks() {
  let name: string | undefined
  const onMouseDown = ({ detail, target }: MouseEvent) => {
    // The third click in a row is meant: a double click has two.
    if (detail === 2) return
    name = undefined
    // Leaving a field may change the name: the user has not reacted to that.
    setTimeout(() => (name = nameOf(target)))
  }
  const onClick = (event: MouseEvent) => {
    // A click by key or by code has no detail.
    if (event.detail === 0 || name === undefined || name === nameOf(event.target)) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('mousedown', onMouseDown, true)
  document.addEventListener('click', onClick, true)
}

/** Undefined for what is not a button. */
function nameOf(target: EventTarget | null): string | undefined {
  const button = target instanceof Element ? target.closest(PRESSED) : null
  return button ? (button.getAttribute('aria-label') ?? button.textContent) : undefined
}

import { isComposing } from './composing.ts'

/** Buttons, and cells that act like one. */
const PRESSED = 'button, [data-cell]'

/**
 * Ignores a click on a button that has got another name, and with it another meaning, since the press began: the second
 * press of a double click, or one that was held, is not meant for what the first has brought about. The same goes for
 * an Enter that is held down.
 */
export function ignoreStaleClicks() {
  /** The name of the button that is pressed, and of the one that a double click began with. */
  let [pressed, first]: (string | undefined)[] = []
  // Not `mousedown`, which is not sent if the default of this one is prevented.
  const onPress = ({ target }: Event) => {
    pressed = undefined
    // Leaving a field may change the name: the user has not reacted to that.
    setTimeout(() => (pressed = nameOf(target)))
  }
  const onClick = (event: MouseEvent) => {
    const { detail, target } = event
    // A click by key or by code has no detail.
    if (detail === 0) return
    const [intended, name] = [detail === 2 ? first : pressed, nameOf(target)]
    first = detail === 1 ? pressed : undefined
    if (intended === undefined || name === undefined || intended === name) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('pointerdown', onPress, true)
  document.addEventListener('click', onClick, true)
  document.addEventListener('keydown', ignoreHeldEnter, true)
}

/** Enter that is held down would press the button, or submit the form, again and again, or what takes its place. */
function ignoreHeldEnter(event: KeyboardEvent) {
  const isPress = event.target instanceof Element && event.target.matches('button, a, summary, input')
  if (event.repeat && event.key === 'Enter' && isPress && !isComposing(event)) event.preventDefault()
}

/** Undefined for what is not a button. */
function nameOf(target: EventTarget | null): string | undefined {
  const button = target instanceof Element ? target.closest(PRESSED) : null
  return button ? (button.getAttribute('aria-label') ?? button.textContent) : undefined
}

import { isComposing } from './composing.ts'

/** Buttons, links, cells that act like one, and fields that a press changes or opens. */
const PRESSED = 'button, a[href], [data-cell], select, input:is([type="checkbox"], [type="radio"])'

/** A press belongs to the click before if it is this soon after it, in milliseconds, and this near, in pixels. */
const [DOUBLE_MS, DOUBLE_PX] = [300, 40]

/**
 * Ignores a click on a button, link or choice that has got another name, and with it another meaning, since the press
 * began, or that has taken the place of another: the second press of a double click, or one that was held, is not meant
 * for what the first has brought about. The same goes for an Enter that is held down.
 */
export function ignoreStaleClicks() {
  /** The name of the button that is pressed, and of the one that a double click began with. */
  let [pressed, first]: (string | undefined)[] = []
  /** The last click, and what the next one is of several in a row: browsers of phones give each as a first one. */
  let clicked: MouseEvent | undefined
  let [count, isTouch] = [1, false]
  // Not `mousedown`, which is not sent if the default of this one is prevented.
  const onPress = (event: PointerEvent) => {
    const { target } = event
    isTouch = event.pointerType === 'touch'
    count = clicked && isRepeated(clicked, event) ? count + 1 : 1
    // It would close the dialog that the first press has opened.
    if (count === 2 && target instanceof HTMLDialogElement && target !== clicked?.target) event.stopPropagation()
    pressed = undefined
    // Leaving a field may change the name: the user has not reacted to that.
    setTimeout(() => (pressed = nameOf(target)))
  }
  const onClick = (event: MouseEvent) => {
    // A click by key or by code has no detail.
    if (event.detail === 0) return
    clicked = event
    if (isTouch && event.detail < count) Object.defineProperty(event, 'detail', { value: count })
    const isSecond = event.detail === 2
    const [intended, name] = [isSecond ? first : pressed, nameOf(event.target)]
    first = event.detail === 1 ? pressed : undefined
    if (name === undefined || intended === name || (intended === undefined && !isSecond)) return
    event.preventDefault()
    event.stopPropagation()
  }
  // A select opens before the click.
  const onMouseDown = (event: MouseEvent) => {
    const isOther = count === 2 && event.target instanceof HTMLSelectElement && event.target !== clicked?.target
    if (isOther) event.preventDefault()
  }
  document.addEventListener('pointerdown', onPress, true)
  document.addEventListener('mousedown', onMouseDown, true)
  document.addEventListener('click', onClick, true)
  document.addEventListener('keydown', ignoreHeldEnter, true)
}

const isRepeated = (clicked: MouseEvent, { timeStamp, clientX, clientY }: PointerEvent) =>
  timeStamp - clicked.timeStamp < DOUBLE_MS &&
  Math.hypot(clientX - clicked.clientX, clientY - clicked.clientY) < DOUBLE_PX

/** Enter that is held down would press the button, or submit the form, again and again, or what takes its place. */
function ignoreHeldEnter(event: KeyboardEvent) {
  const isPress = event.target instanceof Element && event.target.matches('button, a, summary, input')
  if (event.repeat && event.key === 'Enter' && isPress && !isComposing(event)) event.preventDefault()
}

/** Undefined for what a press does not act on. */
function nameOf(target: EventTarget | null): string | undefined {
  const element = target instanceof Element ? target : null
  const pressed = element?.closest<HTMLElement>(PRESSED) ?? element?.closest('label')?.control
  if (!pressed?.matches(PRESSED)) return undefined
  const [label] = 'labels' in pressed ? ((pressed as HTMLInputElement).labels ?? []) : []
  return pressed.getAttribute('aria-label') ?? (label ?? pressed).textContent
}

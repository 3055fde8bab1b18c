import { focusScreen } from './focusScreen.ts'

/**
 * What takes the focus. No text fields, which would open the keyboard of a phone or a list of suggestions, and nothing
 * that deletes, which the next key would press.
 */
const FOCUSABLE =
  'a[href], button:not([tabindex="-1"], [data-destructive]), summary, select, input:is([type="checkbox"], [type="radio"]), [tabindex="0"]'

/**
 * Where the focus was: on `focused`, which is `node`, or if that was removed, in `node`, after its child `after` (null: at
 * its start).
 */
interface Place {
  focused: Element
  node: Element
  after?: Node | null
}

/**
 * Keeps the focus when the focused element is removed, disabled or hidden (a row, a filter, a panel): moves it to the
 * same link, as when a screen that has loaded takes the place of its skeleton, else to what follows there, to what
 * precedes it, and at last to the screen. Code that moves it elsewhere in the same frame takes precedence.
 */
export function keepFocus() {
  /** The last places, by the dialog that they are in, or the body: a row may be removed while a dialog is open. */
  const places = new Map<Element, Place>()
  let isScheduled = false
  const recover = () => {
    isScheduled = false
    if (!isLost()) return
    const layer = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
    const place = places.get(layer)
    places.delete(layer)
    // If it is still usable, the user has moved the focus away, by pressing beside it.
    if (!place || (place.after === undefined && isUsable(place.node))) return
    // What has loaded after Retry may begin with a button, which the next key would press.
    const isRetry = layer === document.body && place.focused.matches('[data-retry]')
    const next = sameLink(layer, place.focused) ?? (isRetry ? undefined : nearest(place))
    if (next) next.focus()
    else focusScreen({ preventScroll: true })
  }
  const schedule = () => {
    if (isScheduled || !isLost()) return
    isScheduled = true
    requestAnimationFrame(recover)
  }
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element)
      places.set(target.closest('dialog') ?? document.body, { focused: target, node: target })
  })
  document.addEventListener('focusout', () => setTimeout(schedule))
  new MutationObserver((records) => {
    for (const [layer, place] of places) {
      if (layer.isConnected) places.set(layer, remaining(place, records))
      else places.delete(layer)
    }
    schedule()
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'inert'] })
}

/** The place after these removals. */
function remaining(place: Place, records: readonly MutationRecord[]): Place {
  let { node, after } = place
  if (node.isConnected && (!after || after.isConnected)) return place
  for (const { removedNodes, target, previousSibling } of records) {
    const removed = [...removedNodes]
    const isGone = !node.isConnected && removed.some((each) => each.contains(node))
    if (isGone) node = target as Element
    if (isGone || (after && removed.includes(after))) after = previousSibling
  }
  return { focused: place.focused, node, ...(after !== undefined && { after }) }
}

/** A link elsewhere in the screen to the same place, in the same words. */
const sameLink = (layer: Element, focused: Element): HTMLElement | undefined =>
  [...layer.querySelectorAll<HTMLAnchorElement>('main a[href]')].find(
    (each) =>
      focused instanceof HTMLAnchorElement &&
      each.href === focused.href &&
      each.textContent === focused.textContent &&
      isUsable(each),
  )

function nearest({ node, after }: Place): HTMLElement | undefined {
  // A list that can be focused takes the focus of its rows, whose buttons start or cancel something.
  const list = node.closest<HTMLElement>('ul[tabindex="-1"]')
  if (list) return list
  let from: Node | null = after === undefined ? node : after
  let within = after === undefined ? node.parentElement : node
  while (within && !within.matches('main') && !within.querySelector('main')) {
    const all = [...within.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(isUsable)
    const next = all.find((each) => !from || from.compareDocumentPosition(each) === Node.DOCUMENT_POSITION_FOLLOWING)
    if (all.length > 0) return next ?? all.at(-1)
    from = within
    within = within.parentElement
  }
  return undefined
}

const isLost = () => {
  const { activeElement } = document
  return !activeElement || activeElement === document.body || activeElement.matches(UNUSABLE)
}

const UNUSABLE = ':disabled, [hidden], [hidden] *, [inert], [inert] *'

const isUsable = (element: Element) => element.isConnected && !element.matches(UNUSABLE) && element.checkVisibility()

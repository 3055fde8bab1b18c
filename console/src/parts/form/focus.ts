const FOCUSABLE = 'input:not([type=hidden], [hidden]), textarea, select, button:not([tabindex="-1"])'

/** Puts the focus into the field of a place, or of the nearest one around it. False when there is none. */
export function focusPlace(root: HTMLElement, place: readonly PropertyKey[]): boolean {
  for (let length = place.length; length > 0; length -= 1) {
    const path = place.slice(0, length).map(String).join('.')
    const field = root.querySelector<HTMLElement>(`[data-place="${CSS.escape(path)}"]`)
    if (field) return focusIn(field)
  }
  return focusIn(root)
}

/** Puts the focus into the first field that is at fault. */
export function focusFault(root: HTMLElement): boolean {
  const field = root.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')
  if (!field) return false
  return field.matches(FOCUSABLE) ? focused(field) : focusIn(field)
}

/** The place of the field that has the focus. */
export function focusedPlace(): (string | number)[] {
  const path = document.activeElement?.closest<HTMLElement>('[data-place]')?.dataset.place
  return path ? path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step)) : []
}

function focusIn(field: HTMLElement): boolean {
  const first = field.querySelector<HTMLElement>(FOCUSABLE)
  return first ? focused(first) : false
}

function focused(element: HTMLElement): boolean {
  element.focus({ preventScroll: true })
  element.scrollIntoView({ block: 'center' })
  return true
}

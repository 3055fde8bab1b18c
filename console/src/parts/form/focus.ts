const FOCUSABLE = 'input:not([type=hidden], [hidden]), textarea, select, button:not([tabindex="-1"])'

/** Focuses the field at a place, or the nearest one that contains it. Returns false if there is none. */
export function focusPlace(root: HTMLElement, place: readonly PropertyKey[]): boolean {
  for (let length = place.length; length > 0; length -= 1) {
    const path = place.slice(0, length).map(String).join('.')
    const field = root.querySelector<HTMLElement>(`[data-place="${CSS.escape(path)}"]`)
    if (field) return focusIn(field)
  }
  return focusIn(root)
}

/** Focuses the first invalid field. */
export function focusFault(root: HTMLElement): boolean {
  const field = root.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')
  if (!field) return false
  return field.matches(FOCUSABLE) ? focused(field) : focusIn(field)
}

/** The place of the focused field. */
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

/**
 * After a refused submit, the first invalid field of the form gets the focus, so that screen readers read its error. If
 * it has the focus already, they would read nothing: then the error is an alert.
 */
export function focusRefused() {
  let observer: MutationObserver | undefined
  let timer: number | undefined
  const stop = () => {
    observer?.disconnect()
    clearTimeout(timer)
  }
  const submitted = ({ target: form }: Event) => {
    stop()
    if (!(form instanceof HTMLFormElement)) return
    const show = () => {
      const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
      if (!field) return
      stop()
      focusInvalid(field)
    }
    // The error may come with the response.
    observer = new MutationObserver(show)
    observer.observe(form, { childList: true, subtree: true, attributeFilter: ['aria-invalid'] })
    // An error that is shown already does not change.
    timer = window.setTimeout(show)
  }
  // Capturing, because a form in a dialog stops the event.
  document.addEventListener('submit', submitted, true)
  // What is typed from now on may be invalid for a while.
  document.addEventListener('input', stop)
}

/** Makes screen readers read the error of a field. */
export function focusInvalid(field: HTMLElement) {
  if (field === document.activeElement) announce(errorOf(field))
  else field.focus()
}

/** After the error was announced before, how long screen readers need to notice that it is no alert any more, in ms. */
const AGAIN_MS = 100

let announcing: number | undefined

function announce(error: HTMLElement | null | undefined) {
  clearTimeout(announcing)
  error?.removeAttribute('role')
  announcing = window.setTimeout(() => error?.setAttribute('role', 'alert'), AGAIN_MS)
}

/** The element with the error of a field (`Field.tsx`). */
const errorOf = (field: Element) =>
  field
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id))
    .find((each) => each?.id.endsWith('-error'))

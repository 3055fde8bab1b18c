import { useEffect, useState } from 'react'

/**
 * Debounces a value by `delay` milliseconds. Waits during IME composition (Chinese, Japanese, Korean), because the text
 * is not final until it ends.
 */
export function useDebounced<T>(value: T, delay = 300): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const settle = () => {
      clearTimeout(timer)
      timer = setTimeout(() => setSettled(value), delay)
    }
    const wait = () => clearTimeout(timer)
    if (!isWordComposed) settle()
    document.addEventListener('compositionstart', wait)
    document.addEventListener('compositionend', settle)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('compositionstart', wait)
      document.removeEventListener('compositionend', settle)
    }
  }, [value, delay])
  return settled
}

let isWordComposed = false
if (typeof document !== 'undefined') {
  // In the capture phase, before any component's handler. `compositionend` is missed if the field is removed during
  // composition; the next input event corrects that.
  document.addEventListener('input', (event) => (isWordComposed = event.isComposing), true)
  document.addEventListener('compositionend', () => (isWordComposed = false), true)
}

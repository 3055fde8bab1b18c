import { useEffect, useState } from 'react'

/**
 * The value after it has not changed for `delay` milliseconds. While a word is being composed (Chinese, Japanese,
 * Korean) it waits: what stands in a box then is not yet what is meant.
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
  // Before any component hears of it. An end may be missed, when the box goes meanwhile: the next key in another tells.
  document.addEventListener('input', (event) => (isWordComposed = event.isComposing), true)
  document.addEventListener('compositionend', () => (isWordComposed = false), true)
}

import { useEffect, useState } from 'react'

/** The value once it has rested for `delay` milliseconds (specification 9: searches wait 300 ms). */
export function useDebounced<T>(value: T, delay = 300): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delay)
    return () => clearTimeout(timer)
  }, [value, delay])
  return settled
}

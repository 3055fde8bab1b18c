import { useEffect, useRef } from 'react'

/**
 * Whether the component is still shown, for what follows a response: someone who has left the screen meanwhile must not
 * be taken to another one.
 */
export function useIsMounted(): () => boolean {
  const mounted = useRef(true)
  useEffect(() => {
    mounted.current = true
    return () => void (mounted.current = false)
  }, [])
  return () => mounted.current
}

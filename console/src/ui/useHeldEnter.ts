import { useEffect, useEffectEvent, useState } from 'react'

/**
 * Handles Enter pressed before the search results arrive: then calls `choose` once they do, unless the text changed.
 */
export function useHeldEnter(text: string, isWaiting: boolean, choose: () => void) {
  const [pressedFor, setPressedFor] = useState<string>()
  const isHeld = pressedFor === text
  const release = () => setPressedFor(undefined)
  const act = useEffectEvent(() => {
    choose()
    // Only once, even if the same text is searched again.
    queueMicrotask(release)
  })
  useEffect(() => {
    if (isHeld && !isWaiting) act()
  }, [isHeld, isWaiting])
  return { isHeld, hold: () => setPressedFor(text), release }
}

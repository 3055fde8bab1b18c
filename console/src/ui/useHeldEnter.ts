import { useEffect, useEffectEvent, useState } from 'react'

/**
 * An Enter that was pressed before the results for the text were there: `choose` is called once they are, as long as
 * the text is still the one that it was pressed for.
 */
export function useHeldEnter(text: string, isWaiting: boolean, choose: () => void) {
  const [pressedFor, setPressedFor] = useState<string>()
  const isHeld = pressedFor === text
  const release = () => setPressedFor(undefined)
  const act = useEffectEvent(() => {
    choose()
    // Once only, also when the same text is searched again.
    queueMicrotask(release)
  })
  useEffect(() => {
    if (isHeld && !isWaiting) act()
  }, [isHeld, isWaiting])
  return { isHeld, hold: () => setPressedFor(text), release }
}

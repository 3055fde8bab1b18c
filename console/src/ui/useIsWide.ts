import { useSyncExternalStore } from 'react'

/** The complement of the breakpoint in the style sheets, `width < 48em`. */
const wide = matchMedia('(width >= 48em)')

function subscribe(listener: () => void) {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** Whether the screen is wide enough for a sidebar. What phones do not show then need not be rendered. */
export const useIsWide = () => useSyncExternalStore(subscribe, () => wide.matches)

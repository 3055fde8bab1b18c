import { useSyncExternalStore } from 'react'

/** The style sheets ask the other way round: `max-width: 767px`. */
const wide = matchMedia('(min-width: 768px)')

function subscribe(listener: () => void) {
  wide.addEventListener('change', listener)
  return () => wide.removeEventListener('change', listener)
}

/** Whether a sidebar has room beside the screen. What a phone does not show need not be rendered there. */
export const useIsWide = () => useSyncExternalStore(subscribe, () => wide.matches)

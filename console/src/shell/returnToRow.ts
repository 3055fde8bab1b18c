import type { AnyRouter } from '@tanstack/react-router'
import { withoutBasePath } from '#api/host.ts'
import { openedFrom } from '#lib/listPlace.ts'

/** When a user returns to a list, focuses the row that they had opened. */
export function returnToRows(router: AnyRouter) {
  let stop = () => {}
  router.subscribe('onRendered', ({ fromLocation, toLocation, pathChanged }) => {
    if (!pathChanged) return
    stop()
    const address = fromLocation && openedFrom(toLocation.pathname, fromLocation.pathname)
    stop = address ? returnToRow(address, toLocation.state.top) : () => {}
  })
}

/**
 * Focuses the row or card that links to `address` as soon as it is rendered, and restores that focus while the list
 * refetches: until the user presses a key or scrolls or uses the pointer, or something else is focused. Returns a
 * function that stops it.
 */
function returnToRow(address: string, top: number | undefined): () => void {
  const main = document.querySelector('main')
  if (!main) return () => undefined
  let isScrolled = top === undefined
  const place = () => {
    const { activeElement } = document
    if (activeElement !== document.body && activeElement !== main) return
    const row = rowOf(main, address)
    const link = row?.querySelector<HTMLElement>('a, button')
    if (!row || !link) return
    if (!isScrolled) scrollTo(0, top ?? 0)
    isScrolled = true
    link.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  }
  const observer = new MutationObserver(place)
  const stop = () => {
    observer.disconnect()
    for (const type of STOPPED_BY) removeEventListener(type, stop, true)
  }
  observer.observe(main, { childList: true, subtree: true })
  for (const type of STOPPED_BY) addEventListener(type, stop, true)
  place()
  return stop
}

const STOPPED_BY = ['keydown', 'pointerdown', 'wheel', 'touchstart']

const rowOf = (main: Element, address: string) =>
  [...main.querySelectorAll('[data-list-row]')].find((row) =>
    [...row.querySelectorAll('a')].some((link) => {
      const pathname = withoutBasePath(new URL(link.href).pathname)
      return pathname === address || pathname.startsWith(`${address}/`)
    }),
  )

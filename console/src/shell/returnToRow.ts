import { withoutBasePath } from '#api/host.ts'

/**
 * Gives the focus to the row or card that leads to `address`, as soon as it is there, and keeps it there while the list
 * is loaded anew: until a key or the pointer is pressed, or something else takes the focus. Returns what ends it.
 */
export function returnToRow(address: string, top: number | undefined): () => void {
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

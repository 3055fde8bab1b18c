import { useEffect, useEffectEvent, useRef } from 'react'
import { openByKey } from '#parts/openedByKey.ts'
import { isTyping, keyOf, useShortcut } from '#ui/useShortcut.ts'
import { GO_KEYS } from '../nav.ts'

/** How long after g the letter may follow, in milliseconds. */
const LETTER_MS = 1500

/** Keyboard shortcut: g, then a letter, opens a screen. */
export function useGoKeys(go: (path: string) => void) {
  const pressed = useRef(-LETTER_MS)
  useShortcut('g', () => {
    pressed.current = performance.now()
  })
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const isNext = performance.now() - pressed.current < LETTER_MS
    pressed.current = -LETTER_MS
    const path = isNext && !isTyping(event.target) ? GO_KEYS.get(keyOf(event))?.to : undefined
    // A key such as Ctrl is itself one that follows g.
    if (!path) return
    // The current screen must not handle the letter, too.
    event.preventDefault()
    event.stopImmediatePropagation()
    go(path)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener, { capture: true })
    return () => document.removeEventListener('keydown', listener, { capture: true })
  }, [])
}

/**
 * Opens the editor of the focused row, or of the entity on screen, or says why it may not be edited; returns false if
 * there is none.
 */
export function openEditor(): boolean {
  const row = document.activeElement?.closest('[data-list-row]')
  const within = row ?? document.querySelector('main')
  const links = [...(within?.querySelectorAll<HTMLElement>('a[href$="/edit"], [data-edit]') ?? [])]
  const link = row ? links[0] : links.find((each) => !each.closest('[data-list-row]'))
  if (link instanceof HTMLAnchorElement) openByKey(link)
  else link?.click()
  return link !== undefined
}

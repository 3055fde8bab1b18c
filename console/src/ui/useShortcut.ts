import { useEffectEvent, useLayoutEffect } from 'react'
import { isComposing } from './composing.ts'

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)

/** How the combination is written on this machine: ⌘K or Ctrl K. */
export const formatShortcut = (key: string) => (IS_MAC ? `⌘${key}` : `Ctrl ${key}`)

/**
 * A key of the whole page: 'j', '/', '?', or 'mod+k' for ⌘K and Ctrl K. A plain key never fires while somebody types,
 * nor behind an open dialog; `act` returns false to let the browser have the key after all.
 */
export function useShortcut(key: string, act: (event: KeyboardEvent) => unknown) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const mod = event.metaKey || event.ctrlKey
    const wanted = key.startsWith('mod+') ? mod && !event.altKey && event.key.toLowerCase() === key.slice(4) : !mod
    if (!wanted || event.defaultPrevented || isComposing(event)) return
    if (!key.startsWith('mod+') && (event.key !== key || event.altKey || isTyping(event.target) || isCovered())) return
    if (act(event) !== false) event.preventDefault()
  })
  // A layout effect: what can be seen can be pressed.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="textbox"], [role="menu"]'

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(TYPED) !== null)

/** Whether a dialog lies above the screen. */
export const isCovered = () => document.querySelector('dialog[open]') !== null

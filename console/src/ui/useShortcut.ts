import { useEffectEvent, useLayoutEffect } from 'react'
import { createStore } from '#lib/createStore.ts'
import { isComposing } from './composing.ts'

export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)

/** Formats a shortcut for this platform: ⌘K or Ctrl K. */
export const formatShortcut = (key: string) => (IS_MAC ? `⌘${key}` : `Ctrl ${key}`)

/** Whether shortcuts of a single character act: speech input and a bumped key trigger them by mistake (WCAG 2.1.4). */
export const singleKeys = createStore(true)

/**
 * A global keyboard shortcut: 'j', '/', '?', or 'mod+k' for ⌘K on a Mac (where Ctrl K deletes to the end of the line)
 * and Ctrl K elsewhere. Keys without a modifier are ignored while the user is typing and behind an open dialog. If `act`
 * returns false, the browser handles the key.
 */
export function useShortcut(key: string, act: (event: KeyboardEvent) => unknown) {
  useKeyDown((event) => {
    const { altKey, ctrlKey, metaKey } = event
    const pressed = keyOf(event)
    const isWanted = key.startsWith('mod+')
      ? (IS_MAC ? metaKey : ctrlKey) && !altKey && pressed.toLowerCase() === key.slice(4)
      : !(altKey || ctrlKey || metaKey || isTyping(event.target) || isCovered()) &&
        pressed === key &&
        (key.length > 1 || singleKeys.get())
    if (!isWanted || event.defaultPrevented || isComposing(event)) return
    if (act(event) !== false) event.preventDefault()
  })
}

/** Calls the latest `onKey` for every key that is pressed. */
export function useKeyDown(onKey: (event: KeyboardEvent) => void) {
  const latest = useEffectEvent(onKey)
  // A layout effect, so that shortcuts work as soon as the screen is visible.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => latest(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

/**
 * The key, whether or not Caps Lock is on; on a layout without Latin letters, such as the Russian one, the letter that is
 * there on one with them.
 */
export function keyOf({ key, code, shiftKey }: KeyboardEvent): string {
  const letter = key > '~' ? code.slice(3) : key
  if (letter.length > 1) return letter
  return shiftKey ? letter.toUpperCase() : letter.toLowerCase()
}

const TYPED = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="textbox"], [role="menu"]'

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(TYPED) !== null)

/** Whether a dialog covers the screen. */
export const isCovered = () => document.querySelector('dialog[open]') !== null

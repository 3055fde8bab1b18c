import { isComposing } from '#ui/composing.ts'
import { IS_MAC, isCovered, useKeyDown } from '#ui/useShortcut.ts'

export interface DeskKeys {
  save: () => void
  skip: () => void
  dismiss: () => void
  undo: () => void
  /** Takes a suggestion or an image by its 0-based position. */
  take: (position: number) => void
}

/** Keyboard shortcuts of the desk, which also work while typing: Ctrl+Enter, and Alt with S, N, Z or a digit. */
export function useDeskKeys(keys: DeskKeys) {
  useKeyDown((event) => {
    if (event.defaultPrevented || isComposing(event) || isCovered()) return
    const act = actionOf(event, keys)
    if (!act) return
    event.preventDefault()
    if (!event.repeat) act()
  })
}

/** By the physical key (`code`), because on a Mac, Alt changes the characters. */
function actionOf(event: KeyboardEvent, keys: DeskKeys): (() => void) | undefined {
  const { key, code, altKey, shiftKey } = event
  const mod = event.ctrlKey || event.metaKey
  if (shiftKey) return undefined
  if (mod && !altKey && key === 'Enter') return keys.save
  if (!altKey || mod) return undefined
  const digit = /^(?:Digit|Numpad)([1-9])$/.exec(code)?.[1]
  if (digit) return () => keys.take(Number(digit) - 1)
  return { KeyS: keys.skip, KeyN: keys.dismiss, KeyZ: keys.undo }[code]
}

/** Formats a shortcut with Alt for this platform. */
export const altKey = (key: string) => (IS_MAC ? `⌥${key}` : `Alt ${key}`)

/** The shortcut that takes the suggestion or image at a 0-based position, if there is one. */
export const takeKey = (position: number) => (position < 9 ? altKey(`${position + 1}`) : undefined)

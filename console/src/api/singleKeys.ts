import { singleKeys } from '#ui/useShortcut.ts'
import { localEntry } from './browserStorage.ts'

const entry = localEntry('singleKeys')

/** Restores whether shortcuts of a single key act. */
export const restoreSingleKeys = () => singleKeys.set(entry.get() !== 'off')

export function chooseSingleKeys(next: boolean) {
  entry.set(next ? 'on' : 'off')
  singleKeys.set(next)
}

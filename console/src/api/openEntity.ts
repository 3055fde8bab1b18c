import type { Kind } from '@mokuroku/contract/kinds'
import type { Editors } from '@mokuroku/contract/presence'
import { createStore } from '#lib/createStore.ts'

/**
 * The entity that is open in the editor on screen. Meanwhile the notification stream also reports who else has it open,
 * and its version.
 */
export const opened = createStore<{ entityType: Kind; entityId: string } | undefined>(undefined)

/** What the notification stream last reported about it. */
export const coEditors = createStore<{ editors?: Editors; version?: number }>({})

/** Registers the open entity; returns a function that unregisters it. */
export function openEntity(entityType: Kind, entityId: string): () => void {
  const own = { entityType, entityId }
  opened.set(own)
  return () => {
    if (opened.get() !== own) return
    opened.set(undefined)
    coEditors.set({})
  }
}

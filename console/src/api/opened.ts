import type { Kind } from '@mokuroku/contract/kinds'
import type { Editors } from '@mokuroku/contract/presence'
import { createStore } from '#lib/createStore.ts'

/** What the editor on screen has open. While it has, the stream of notifications says who else has, and its version. */
export const opened = createStore<{ entityType: Kind; entityId: string } | undefined>(undefined)

/** What the stream last said of it. */
export const othersAt = createStore<{ editors?: Editors; version?: number }>({})

/** Says what is open until the answer is called. */
export function openEntity(entityType: Kind, entityId: string): () => void {
  const own = { entityType, entityId }
  opened.set(own)
  return () => {
    if (opened.get() !== own) return
    opened.set(undefined)
    othersAt.set({})
  }
}

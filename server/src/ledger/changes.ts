// Notifies listeners when an entity changes: those of this process at once, and those of other servers by an
// announcement.
import { announce, onAnnounced } from '#database/announcements.ts'

type Listener = (entityId: string) => void
const listeners = new Set<Listener>()

/** Calls `listener` with the id of each entity that changes, and with '' when changes may have been missed. */
export const onEntityChanged = (listener: Listener): void => void listeners.add(listener)

/** Notifies that an entity was written, or that somebody has opened or closed it in an editor. */
export function publishEntity(entityId: string): void {
  notifyHere(entityId)
  announce('entity', entityId)
}

function notifyHere(entityId: string): void {
  for (const listener of listeners) listener(entityId)
}

onAnnounced('entity', notifyHere)

// Who is to be woken when an entity changes. Within this process a change wakes at once, and it is announced to the others.
import { announce, onAnnounced } from '#database/announcements.ts'

type Listener = (entityId: string) => void
const listeners = new Set<Listener>()

/** Calls `listener` with the id of each entity that changes, and with '' when changes may have been missed. */
export const onEntityChanged = (listener: Listener): void => void listeners.add(listener)

/** Says that an entity was written, or that others have it open now. */
export function publishEntity(entityId: string): void {
  notifyHere(entityId)
  announce('entity', entityId)
}

function notifyHere(entityId: string): void {
  for (const listener of listeners) listener(entityId)
}

onAnnounced('entity', notifyHere)

import type { NotificationEvent } from '@mokuroku/contract/notifications'
import { permissionChanges } from '#access/openStreams.ts'
import type { Actor } from '#access/permissions.ts'

/** An event whenever the user's permissions may have changed. Ends when the signal aborts. */
export async function* permissionEvents(
  { session = '' }: Actor,
  signal: AbortSignal,
): AsyncGenerator<NotificationEvent> {
  for await (const _ of permissionChanges(session, signal)) yield { event: 'permissions', data: {} }
}

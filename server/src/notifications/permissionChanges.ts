import type { NotificationEvent } from '@mokuroku/contract/notifications'
import { onPermissionsChanged } from '#access/openStreams.ts'
import type { Actor } from '#access/permissions.ts'
import { createChangeSignal } from '#lib/changeSignal.ts'

/** An event whenever the user's permissions may have changed. Ends when the signal aborts. */
export async function* permissionChanges(
  { session = '' }: Actor,
  signal: AbortSignal,
): AsyncGenerator<NotificationEvent> {
  const change = createChangeSignal((changed) => onPermissionsChanged(session, changed), signal)
  try {
    for (;;) {
      await change.wait()
      if (signal.aborted) return
      change.reset()
      yield { event: 'permissions', data: {} }
    }
  } finally {
    change.close()
  }
}

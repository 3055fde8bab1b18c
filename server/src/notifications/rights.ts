import type { NotificationEvent } from '@mokuroku/contract/notifications'
import { onRightsChanged } from '#access/openStreams.ts'
import type { Actor } from '#access/permissions.ts'
import { createChangeSignal } from '#lib/changeSignal.ts'

/** An event whenever the user's permissions may have changed. Ends when the signal aborts. */
export async function* rightsChanges({ session = '' }: Actor, signal: AbortSignal): AsyncGenerator<NotificationEvent> {
  const change = createChangeSignal((changed) => onRightsChanged(session, changed), signal)
  try {
    for (;;) {
      await change.wait()
      if (signal.aborted) return
      change.reset()
      yield { event: 'rights', data: {} }
    }
  } finally {
    change.close()
  }
}

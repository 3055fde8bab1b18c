import { type NotificationEvent, notificationsApi } from '@mokuroku/contract/notifications'
import { permissionChanges } from '#access/openStreams.ts'
import type { Actor } from '#access/permissions.ts'
import { serve } from '#http/serve.ts'
import { notifications } from '#store/notifications'
import { presence } from '#store/presence'
import { live } from './live.ts'
import { merged } from './merged.ts'

export const notificationRoutes = serve(notificationsApi, {
  list: async ({ query, actor }) => ({
    data: await notifications.latest(actor._id, query.limit),
    unread: await notifications.unread(actor._id),
  }),
  read: async ({ body, actor }) => {
    await notifications.read(actor, body)
    return { success: true, unread: await notifications.unread(actor._id) }
  },
  stream: ({ actor, signal, lastEventId, query: { entityType, entityId } }) => {
    const own = [live(actor._id, lastEventId, signal), permissionEvents(actor, signal)]
    if (!entityType || !entityId) return merged(...own)
    return merged<NotificationEvent>(...own, presence.follow(actor, { entityType, entityId }, signal))
  },
})

/** An event whenever the user's permissions may have changed. Ends when the signal aborts. */
async function* permissionEvents({ session = '' }: Actor, signal: AbortSignal): AsyncGenerator<NotificationEvent> {
  for await (const _ of permissionChanges(session, signal)) yield { event: 'permissions', data: {} }
}

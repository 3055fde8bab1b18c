import { type NotificationEvent, notificationsApi } from '@mokuroku/contract/notifications'
import { serve } from '#http/serve.ts'
import { notifications } from '#store/notifications'
import { presence } from '#store/presence'
import { live } from './live.ts'
import { merged } from './merged.ts'
import { permissionEvents } from './permissionEvents.ts'

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

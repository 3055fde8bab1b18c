import { notificationsApi, type NotificationEvent } from '@mokuroku/contract/notifications'
import { opened, othersAt } from '#api/opened.ts'
import { wrote } from '#api/queryClient.ts'
import { followStream } from '#api/stream.ts'

/**
 * Reports how many notifications are unread, from now on until `signal`, and keeps what is said of the entity that is
 * open. A new notification means that somebody wrote something: what is on screen is fetched again.
 */
export function followUnread(onUnread: (count: number) => void, signal: AbortSignal) {
  let before = Infinity
  const onEvent = ({ event, data }: NotificationEvent) => {
    if (event === 'editors' || event === 'version') return keep(data)
    if (event !== 'unread') return
    onUnread(data.unread)
    wrote(data.unread > before ? notificationsApi.stream : notificationsApi.read)
    before = data.unread
  }
  // A stream is of what was open when it began.
  let leaving = new AbortController()
  const start = () => {
    leaving.abort()
    leaving = new AbortController()
    const query = opened.get() ?? {}
    followStream(notificationsApi.stream, { query }, onEvent, AbortSignal.any([signal, leaving.signal]))
  }
  start()
  signal.addEventListener('abort', opened.subscribe(start))
}

function keep(data: (NotificationEvent & { event: 'editors' | 'version' })['data']) {
  if (data.entityId !== opened.get()?.entityId) return
  const editors = 'people' in data ? { editors: data } : { version: data.version }
  othersAt.set({ ...othersAt.get(), ...editors })
}

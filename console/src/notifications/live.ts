import { notificationsApi, type NotificationEvent } from '@mokuroku/contract/notifications'
import { refreshMe } from '#api/call.ts'
import { opened, coEditors } from '#api/openEntity.ts'
import { wrote } from '#api/queryClient.ts'
import { followStream } from '#api/stream.ts'
import { refetchStale } from '#api/unreached.ts'
import { watchConnection } from './watchConnection.ts'

/**
 * Follows the notification stream until `signal` aborts: reports the unread count, and stores who else has the open
 * entity open, and its version. A new notification means that somebody wrote something: queries are invalidated.
 */
export function followUnread(onUnread: (count: number) => void, signal: AbortSignal) {
  let before = Infinity
  const onEvent = ({ event, data }: NotificationEvent) => {
    if (event === 'editors' || event === 'version') return keep(data)
    if (event === 'permissions') return void refreshMe()
    if (event !== 'unread') return
    onUnread(data.unread)
    wrote(data.unread > before ? notificationsApi.stream : notificationsApi.read)
    before = data.unread
  }
  // The open entity is a parameter of the stream, so that a change of it needs a new connection.
  let leaving = new AbortController()
  const connection = watchConnection(signal)
  // What changed while it was not connected was not reported.
  let isFirst = true
  let hasFailed = false
  const onOpen = () => {
    connection.found()
    if (!isFirst) void refreshMe()
    if (hasFailed) void refetchStale()
    isFirst = hasFailed = false
  }
  const onFailure = (error: unknown) => {
    connection.failed(error)
    hasFailed = true
  }
  const start = () => {
    leaving.abort()
    leaving = new AbortController()
    const query = opened.get() ?? {}
    const either = AbortSignal.any([signal, leaving.signal])
    followStream(notificationsApi.stream, { query }, onEvent, either, onOpen, onFailure)
  }
  start()
  signal.addEventListener('abort', opened.subscribe(start))
}

function keep(data: (NotificationEvent & { event: 'editors' | 'version' })['data']) {
  if (data.entityId !== opened.get()?.entityId) return
  const editors = 'people' in data ? { editors: data } : { version: data.version }
  coEditors.set({ ...coEditors.get(), ...editors })
}

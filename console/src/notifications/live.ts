import { notificationsApi } from '@mokuroku/contract/notifications'
import { changed } from '#api/query.ts'
import { followStream } from '#api/stream.ts'

/** Tells how many notifications are unread, from now on until `signal`; what lists them is asked again. */
export function followUnread(onUnread: (count: number) => void, signal: AbortSignal) {
  const onEvent = ({
    event,
    data,
  }: Parameters<Parameters<typeof followStream<typeof notificationsApi.stream>>[2]>[0]) => {
    if (event !== 'unread') return
    onUnread(data.unread)
    void changed(notificationsApi.list)
  }
  followStream(notificationsApi.stream, {}, onEvent, signal)
}

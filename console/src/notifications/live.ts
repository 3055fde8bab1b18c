import { notificationsApi } from '@mokuroku/contract/notifications'
import { wrote } from '#api/queryClient.ts'
import { followStream } from '#api/stream.ts'

/**
 * Reports how many notifications are unread, from now on until `signal`. A new one tells of something that was written
 * elsewhere: what is on screen is asked again.
 */
export function followUnread(onUnread: (count: number) => void, signal: AbortSignal) {
  let before = Infinity
  const onEvent = ({
    event,
    data,
  }: Parameters<Parameters<typeof followStream<typeof notificationsApi.stream>>[2]>[0]) => {
    if (event !== 'unread') return
    onUnread(data.unread)
    wrote(data.unread > before ? notificationsApi.stream : notificationsApi.read)
    before = data.unread
  }
  followStream(notificationsApi.stream, {}, onEvent, signal)
}

import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { lostConnection } from '#api/connection.ts'
import { areaTexts } from '#i18n/messages.ts'
import css from './Live.module.css'
import { followUnread } from './live.ts'

const texts = areaTexts(
  {
    offline: 'You are offline. Drafts are kept on this device; nothing can be saved until the connection is back.',
    server:
      'The server cannot be reached. Drafts are kept on this device; nothing can be saved until it answers again.',
  },
  {
    offline: '网络已断开。草稿保存在此设备上；恢复连接前无法保存更改。',
    server: '无法连接服务器。草稿保存在此设备上；服务器恢复响应前无法保存更改。',
  },
)

interface Props {
  onUnread: (count: number) => void
}

/** Follows the notification stream, and says below the top bar for as long as the server cannot be reached. */
export function Live({ onUnread }: Props) {
  const sentences = texts.use()
  const lost = lostConnection.use()
  useEffect(() => {
    const leaving = new AbortController()
    followUnread(onUnread, leaving.signal)
    return () => leaving.abort()
  }, [onUnread])
  // Before the screen, whose own elements React places by their neighbours.
  const [place] = useState(() => Object.assign(document.createElement('div'), { className: css.place }))
  useEffect(() => {
    document.getElementById('main')?.before(place)
    return () => place.remove()
  }, [place])
  return createPortal(<div role="status">{lost && <p className={css.line}>{sentences[lost]}</p>}</div>, place)
}

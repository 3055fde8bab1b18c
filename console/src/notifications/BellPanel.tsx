import { useMessages } from '#i18n/messages.ts'
import { FloatingPanel } from '#ui/FloatingPanel.tsx'
import css from './Bell.module.css'
import { NotificationList } from './NotificationList.tsx'

interface Props {
  opened: boolean
  unread: number
  onUnread: (unread: number) => void
  onClose: () => void
}

/** Panel with the latest notifications, below the bell. */
export function BellPanel({ opened, unread, onUnread, onClose }: Props) {
  const { shell } = useMessages()
  return (
    <FloatingPanel
      label={shell.notifications}
      opened={opened}
      onClose={onClose}
      position="bottom-end"
      width={400}
      className={css.dropdown}
    >
      <div tabIndex={-1} data-autofocus className={css.inside}>
        <NotificationList unread={unread} onUnread={onUnread} onClose={onClose} />
      </div>
    </FloatingPanel>
  )
}

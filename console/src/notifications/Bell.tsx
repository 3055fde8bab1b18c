import { Bell as BellIcon } from 'lucide-react'
import { type ComponentType, useEffect, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { IconButton } from '#ui/Button.tsx'
import { Dropdown } from '#ui/Dropdown.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import css from './Bell.module.css'

const load = () => import('./BellPanel.tsx')
const BellPanel = lazyOverlay(load, 'BellPanel')

/** Button with the number of unread notifications; it opens the latest ones. */
export function Bell() {
  const { shell } = useMessages()
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  const [unread, setUnread] = useState(0)
  const Live = useLive()
  const unreadText = unread > 0 ? shell.unreadNotifications(unread) : ''
  return (
    <Dropdown
      opened={opened}
      onOpened={setOpened}
      load={load}
      renderButton={(props) => (
        <>
          <IconButton
            {...props}
            label={unreadText ? `${shell.notifications}, ${unreadText}` : shell.notifications}
            icon={BellIcon}
            aria-haspopup="dialog"
          />
          {unread > 0 && (
            <span className={css.badge} aria-hidden>
              {unread > 9 ? '9+' : unread}
            </span>
          )}
          <span role="status" className="sr-only">
            {unreadText}
          </span>
          {Live && <Live onUnread={setUnread} />}
        </>
      )}
    >
      <BellPanel opened={opened} unread={unread} onUnread={setUnread} onClose={close} />
    </Dropdown>
  )
}

/** What follows the unread count and the connection, after a delay that lets the screen render first. */
function useLive() {
  const [Live, setLive] = useState<ComponentType<{ onUnread: (count: number) => void }>>()
  useEffect(() => {
    // If this code cannot be loaded, only the number is missing: ignore the error.
    const follow = async () => {
      const code = await import('./Live.tsx')
      setLive(() => code.Live)
    }
    const timer = setTimeout(() => void follow().catch(() => undefined), 500)
    return () => clearTimeout(timer)
  }, [])
  return Live
}

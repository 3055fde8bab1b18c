import '@mantine/core/styles/Popover.layer.css'
import { Popover } from '@mantine/core'
import { Bell as BellIcon } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { IconButton } from '#ui/Button.tsx'
import { SkeletonLines } from '#ui/Skeleton.tsx'
import css from './Bell.module.css'
import { texts as area } from './texts.ts'

const NotificationList = lazy(async () => ({ default: (await import('./NotificationList.tsx')).NotificationList }))

/** How many are unread, and the last ones when it is pressed. `pressed`: it was, before its code had come. */
export function Bell({ pressed }: { pressed: boolean }) {
  const { shell } = useMessages()
  const texts = area.use()
  const [opened, setOpened] = useState(pressed)
  const [unread, setUnread] = useUnread()
  const said = unread > 0 ? texts.unread(unread) : ''
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      width={400}
      withinPortal={false}
      trapFocus
      returnFocus
      classNames={{ dropdown: css.dropdown }}
    >
      <div className={css.target}>
        <Popover.Target>
          <IconButton
            label={said ? `${shell.notifications}, ${said}` : shell.notifications}
            icon={BellIcon}
            onClick={() => setOpened(!opened)}
          />
        </Popover.Target>
        {unread > 0 && (
          <span className={css.badge} aria-hidden>
            {unread > 9 ? '9+' : unread}
          </span>
        )}
        <span role="status" className="sr-only">
          {said}
        </span>
      </div>
      <Popover.Dropdown aria-label={shell.notifications}>
        <div tabIndex={-1} data-autofocus className={css.inside}>
          <Suspense fallback={<Waiting />}>
            <NotificationList unread={unread} onUnread={setUnread} onClose={() => setOpened(false)} />
          </Suspense>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** The shape of the list, while its code is on its way. */
const Waiting = () => (
  <div className={css.waiting}>
    <SkeletonLines lines={3} />
  </div>
)

/** Followed live, once the screen has had the time to show itself. */
function useUnread() {
  const state = useState(0)
  const [, setUnread] = state
  useEffect(() => {
    const leaving = new AbortController()
    const follow = async () => {
      const { followUnread } = await import('./live.ts')
      if (!leaving.signal.aborted) followUnread(setUnread, leaving.signal)
    }
    // Without this code nothing is missing but the number: there is no reason to fail.
    const timer = setTimeout(() => void follow().catch(() => undefined), 500)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [setUnread])
  return state
}

import { Bell as BellIcon, Menu, Search } from 'lucide-react'
import { type ComponentType, lazy, type MouseEvent, Suspense, useState } from 'react'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { IconButton } from '#ui/Button.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { Row, Truncate } from '#ui/layout.tsx'
import { formatShortcut } from '#ui/useShortcut.ts'
import css from './TopBar.module.css'

type MenuName = 'notifications' | 'user'

export interface BellProps {
  /** The bell, from its area; `pressed` before its code had come. */
  Bell: ComponentType<{ pressed: boolean }>
}

interface Props extends BellProps {
  onPalette: () => void
  onDrawer: () => void
}

const UserMenu = lazy(async () => ({ default: (await import('./UserMenu.tsx')).UserMenu }))

export function TopBar({ Bell, onPalette, onDrawer }: Props) {
  const { shell } = useMessages()
  const [pressed, setPressed] = useState<MenuName>()
  return (
    <Row as="header" gap={2} className={css.bar}>
      <IconButton className={css.burger} label={shell.openNavigation} icon={Menu} onClick={onDrawer} />
      <Row as="button" type="button" gap={2} className={css.search} onClick={onPalette}>
        <Search size={16} aria-hidden />
        <Truncate className={css.words}>{shell.search}</Truncate>
        <Kbd>{formatShortcut('K')}</Kbd>
      </Row>
      <div className={css.end}>
        <Suspense fallback={<Waiting onPress={setPressed} />}>
          <Bell pressed={pressed === 'notifications'} />
          <UserMenu pressed={pressed === 'user'} />
        </Suspense>
      </div>
    </Row>
  )
}

/**
 * The two buttons as they will stand, while the code of their menus is on its way: what is pressed opens then. A mouse
 * that goes down counts already: the code may come, and the button go, before it is up again. (Not a pointer that goes
 * down: the mouse that follows it would be one outside the menu.)
 */
function Waiting({ onPress }: { onPress: (menu: MenuName) => void }) {
  const { shell } = useMessages()
  const { username } = useMe()
  const opening = (menu: MenuName) => ({
    onClick: () => onPress(menu),
    onMouseDown: ({ button }: MouseEvent) => {
      if (button === 0) onPress(menu)
    },
  })
  return (
    <>
      <IconButton label={shell.notifications} icon={BellIcon} {...opening('notifications')} />
      <button type="button" className={css.user} aria-label={shell.userMenu} {...opening('user')}>
        <span className={css.initial}>{username.slice(0, 1).toUpperCase()}</span>
      </button>
    </>
  )
}

import { Bell, Menu, Search } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { IconButton } from '#ui/Button.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { written } from '#ui/useShortcut.ts'
import css from './TopBar.module.css'

export type MenuName = 'notifications' | 'user'

const Menus = lazy(async () => ({ default: (await import('./Menus.tsx')).Menus }))

export function TopBar({ onPalette, onDrawer }: { onPalette: () => void; onDrawer: () => void }) {
  const { shell } = useMessages()
  const [pressed, setPressed] = useState<MenuName>()
  return (
    <header className={css.bar}>
      <IconButton className={css.burger} label={shell.openNavigation} icon={Menu} onClick={onDrawer} />
      <button type="button" className={css.search} onClick={onPalette}>
        <Search size={16} aria-hidden />
        <span className={css.words}>{shell.search}</span>
        <Kbd>{written('K')}</Kbd>
      </button>
      <div className={css.end}>
        <Suspense fallback={<Waiting onPress={setPressed} />}>
          <Menus opened={pressed} />
        </Suspense>
      </div>
    </header>
  )
}

/** The two buttons as they will stand, while the code of their menus is on its way: what is pressed opens then. */
function Waiting({ onPress }: { onPress: (menu: MenuName) => void }) {
  const { shell } = useMessages()
  const { username } = useMe()
  return (
    <>
      <IconButton label={shell.notifications} icon={Bell} onClick={() => onPress('notifications')} />
      <button type="button" className={css.user} aria-label={shell.userMenu} onClick={() => onPress('user')}>
        <span className={css.initial}>{username.slice(0, 1).toUpperCase()}</span>
      </button>
    </>
  )
}

import { useState } from 'react'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { initialOf } from '#lib/text.ts'
import { Dropdown } from '#ui/Dropdown.tsx'
import { lazyOverlay } from '#ui/lazyPart.tsx'
import css from './TopBar.module.css'

const load = () => import('./UserMenuList.tsx')
const UserMenuList = lazyOverlay(load, 'UserMenuList')

/** Button of the user menu, at the end of the top bar. */
export function UserMenu() {
  const { shell } = useMessages()
  const { username } = useMe()
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <Dropdown
      opened={opened}
      onOpened={setOpened}
      load={load}
      renderButton={(props) => (
        <button {...props} type="button" className={css.user} aria-label={shell.userMenu} aria-haspopup="menu">
          <span className={css.initial}>{initialOf(username)}</span>
        </button>
      )}
    >
      <UserMenuList opened={opened} onClose={close} />
    </Dropdown>
  )
}

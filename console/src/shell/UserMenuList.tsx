import '@mantine/core/styles/Popover.layer.css'
import { Menu } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Check, CircleUserRound, LogOut, Trash2 } from 'lucide-react'
import { chooseLanguage, chooseTheme, type Theme, useTheme } from '#api/preferences.ts'
import { useMe } from '#api/session.ts'
import { signOut } from '#api/signIn.ts'
import { type Language, LANGUAGES, useLanguage, useMessages } from '#i18n/messages.ts'
import { initialOf } from '#lib/text.ts'
import { Muted } from '#ui/layout.tsx'
import dropdown from '#ui/Dropdown.module.css'
import { Widgets } from '#ui/Widgets.tsx'
import css from './UserMenu.module.css'
import bar from './TopBar.module.css'

const THEMES: Record<Theme, 'light' | 'dark' | 'system'> = { light: 'light', dark: 'dark', auto: 'system' }

interface Props {
  opened: boolean
  onClose: () => void
}

/** Items of the user menu. */
export function UserMenuList({ opened, onClose }: Props) {
  const { shell } = useMessages()
  const me = useMe()
  const theme = useTheme()
  const language = useLanguage()
  return (
    <Widgets>
      <Menu
        opened={opened}
        onChange={(open) => !open && onClose()}
        position="bottom-end"
        width={248}
        withinPortal={false}
        closeOnClickOutside={false}
        checkIcon={<Check size={16} />}
        classNames={css}
      >
        <Menu.Target>
          <span className={dropdown.target} aria-hidden />
        </Menu.Target>
        <Menu.Dropdown aria-label={shell.userMenu}>
          <div className={css.who}>
            <span className={bar.initial}>{initialOf(me.username)}</span>
            <div className={css.names}>
              <p className={css.username}>{me.username}</p>
              <Muted as="p" small className={css.email}>
                {me.email}
              </Muted>
            </div>
          </div>
          <Menu.Divider />
          <Menu.Item component={Link} to="/profile" leftSection={<CircleUserRound size={16} />}>
            {shell.profile}
          </Menu.Item>
          <Menu.Item component={Link} to="/trash" leftSection={<Trash2 size={16} />}>
            {shell.trash}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Label>{shell.theme}</Menu.Label>
          <Menu.RadioGroup value={theme} onChange={(value) => chooseTheme(value as Theme)}>
            {Object.entries(THEMES).map(([value, name]) => (
              <Menu.RadioItem key={value} value={value}>
                {shell[name]}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Label>{shell.language}</Menu.Label>
          <Menu.RadioGroup value={language} onChange={(value) => void chooseLanguage(value as Language)}>
            {Object.entries(LANGUAGES).map(([value, name]) => (
              <Menu.RadioItem key={value} value={value} lang={value}>
                {name}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item leftSection={<LogOut size={16} />} onClick={signOut}>
            {shell.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Widgets>
  )
}

import { Menu, Search } from 'lucide-react'
import type { ComponentType } from 'react'
import { useMessages } from '#i18n/messages.ts'
import { IconButton } from '#ui/Button.tsx'
import { Kbd } from '#ui/Kbd.tsx'
import { Row, Truncate } from '#ui/layout.tsx'
import { formatShortcut } from '#ui/useShortcut.ts'
import css from './TopBar.module.css'
import { UserMenu } from './UserMenu.tsx'

export interface BellProps {
  /** The bell, injected from its area. */
  Bell: ComponentType
}

interface Props extends BellProps {
  onPalette: () => void
  onDrawer: () => void
}

export function TopBar({ Bell, onPalette, onDrawer }: Props) {
  const { shell } = useMessages()
  return (
    <Row as="header" gap={2} className={css.bar}>
      <IconButton className={css.burger} label={shell.openNavigation} icon={Menu} onClick={onDrawer} />
      <Row as="button" type="button" gap={2} className={css.search} onClick={onPalette}>
        <Search size={16} aria-hidden />
        <Truncate className={css.words}>{shell.search}</Truncate>
        <Kbd>{formatShortcut('K')}</Kbd>
      </Row>
      <Row gap={1} className={css.end}>
        <Bell />
        <UserMenu />
      </Row>
    </Row>
  )
}

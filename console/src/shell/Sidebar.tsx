import { Link, useLocation } from '@tanstack/react-router'
import { isTranslated } from '@mokuroku/contract/kinds'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { Suspense } from 'react'
import { collapseSidebar } from '#api/preferences.ts'
import { useMe } from '#api/session.ts'
import { useMessages } from '#i18n/messages.ts'
import { useSiteName } from '#lib/site.ts'
import { Logo } from '#ui/Logo.tsx'
import { lazyPart } from '#ui/lazyPart.tsx'
import { entryOf, navOf } from '../nav.ts'
import css from './Sidebar.module.css'

const ViewLinks = lazyPart(() => import('#parts/views/ViewLinks.tsx'), 'ViewLinks')

/** Wide screens only; phones have the same links in the drawer. */
export function Sidebar({ collapsed }: { collapsed: boolean }) {
  const { panel, shell } = useMessages()
  const siteName = useSiteName()
  const Icon = collapsed ? PanelLeftOpen : PanelLeftClose
  const fold = collapsed ? shell.expand : shell.collapse
  return (
    <aside className={css.sidebar} data-collapsed={collapsed || undefined}>
      <Link to="/" className={css.brand}>
        <Logo />
        <span className={css.name}>
          {panel}
          {siteName && <span className={css.site}>{siteName}</span>}
        </span>
      </Link>
      <Links collapsed={collapsed} />
      <button type="button" className={css.fold} aria-expanded={!collapsed} onClick={() => collapseSidebar(!collapsed)}>
        <Icon size={18} aria-hidden />
        <span className={css.word}>{fold}</span>
        {collapsed && <Tip>{fold}</Tip>}
      </button>
    </aside>
  )
}

interface LinksProps {
  collapsed?: boolean
  onChosen?: () => void
}

export function Links({ collapsed, onChosen }: LinksProps) {
  const { nav } = useMessages()
  const { pathname } = useLocation()
  const { role } = useMe()
  const here = entryOf(pathname)?.to
  return (
    <nav className={css.nav} aria-label={nav.main}>
      <ul>
        {navOf(role).map(({ to, name, icon: Icon }) => (
          <li key={to}>
            <Link to={to} className={css.link} aria-current={here === to ? 'page' : undefined} onClick={onChosen}>
              <Icon size={18} strokeWidth={1.75} aria-hidden />
              <span className={css.word}>{nav[name]}</span>
              {collapsed && <Tip>{nav[name]}</Tip>}
            </Link>
            {!collapsed && isTranslated(name) && (
              <Suspense>
                <ViewLinks kind={name} onChosen={onChosen} />
              </Suspense>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** The name beside a collapsed icon. Hidden from screen readers, because the link already has this name. */
const Tip = ({ children }: { children: string }) => (
  <span className={css.tip} aria-hidden>
    {children}
  </span>
)

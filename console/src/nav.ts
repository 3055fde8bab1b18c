import type { Role } from '@mokuroku/contract/users'
import {
  Captions,
  Clapperboard,
  Gauge,
  Hash,
  Images,
  LayoutDashboard,
  type LucideIcon,
  ScrollText,
  Settings,
  Star,
  UserRound,
  Users,
} from 'lucide-react'
import type { Messages } from '#i18n/en.ts'

interface Entry {
  to: string
  name: Exclude<keyof Messages['nav'], 'main'>
  icon: LucideIcon
  /** Everybody else gets there too, and is told why it is not for them. */
  adminOnly?: true
}

/** The entries of the sidebar, in their fixed order. */
export const NAV: readonly [Entry, ...Entry[]] = [
  { to: '/', name: 'dashboard', icon: LayoutDashboard },
  { to: '/media', name: 'media', icon: Clapperboard },
  { to: '/characters', name: 'characters', icon: UserRound },
  { to: '/tags', name: 'tags', icon: Hash },
  { to: '/assets', name: 'assets', icon: Images },
  { to: '/translations', name: 'translations', icon: Captions },
  { to: '/ratings', name: 'ratings', icon: Star },
  { to: '/score-permissions', name: 'scorePermissions', icon: Gauge },
  { to: '/users', name: 'users', icon: Users },
  { to: '/settings', name: 'settings', icon: Settings },
  { to: '/audit', name: 'audit', icon: ScrollText, adminOnly: true },
]

/** The entries that are of use to somebody. */
export const navOf = (role: Role) => NAV.filter(({ adminOnly }) => !adminOnly || role === 'admin')

/** The entry that a path lies under. */
export const entryOf = (path: string) => NAV.find(({ to }) => path === to || (to !== '/' && path.startsWith(`${to}/`)))

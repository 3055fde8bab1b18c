import type { Role } from '@mokuroku/contract/users'
import { Captions, Layers, LayoutDashboard, type LucideIcon, ScrollText, Settings } from 'lucide-react'
import type { Messages } from '#i18n/en.ts'
import { AREAS, kindsOf } from '#lib/areas.ts'

interface Entry {
  to: string
  name: Exclude<keyof Messages['nav'], 'main'>
  icon: LucideIcon
  /** The letter that opens it after g. */
  goKey?: string
  /** Hidden from other users; if they open the path anyway, the screen explains why it is not available to them. */
  adminOnly?: true
}

const listsOf = (group: Parameters<typeof kindsOf>[0]): Entry[] =>
  kindsOf(group).map((kind) => {
    const { path, icon, goKey } = AREAS[kind]
    return { to: path, name: kind, icon, goKey }
  })

/** The entries of the sidebar, in their fixed order. */
const NAV: readonly [Entry, ...Entry[]] = [
  { to: '/', name: 'dashboard', icon: LayoutDashboard, goKey: 'd' },
  ...listsOf('catalogue'),
  { to: '/translations', name: 'translations', icon: Captions, goKey: 'l' },
  { to: '/batches', name: 'batches', icon: Layers, goKey: 'b' },
  ...listsOf('people'),
  { to: '/settings', name: 'settings', icon: Settings, goKey: 's' },
  { to: '/audit', name: 'audit', icon: ScrollText, adminOnly: true },
]

/** Screens by the second key of the shortcut (g, then a letter). */
export const GO_KEYS: ReadonlyMap<string, Entry> = new Map(
  NAV.flatMap((each) => (each.goKey ? [[each.goKey, each]] : [])),
)

/** The sidebar entries for a role. */
export const navOf = (role: Role) => NAV.filter(({ adminOnly }) => !adminOnly || role === 'admin')

/** The sidebar entry to which a path belongs. */
export const entryOf = (path: string) => NAV.find(({ to }) => path === to || (to !== '/' && path.startsWith(`${to}/`)))

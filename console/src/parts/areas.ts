import type { TrashKind } from '@mokuroku/contract/kinds'
import { Clapperboard, Gauge, Hash, Images, type LucideIcon, Star, UserRound, Users } from 'lucide-react'
import type { Messages } from '#i18n/en.ts'
import type { Tone } from '#ui/Badge.tsx'

interface Place {
  /** Of its list; everything else about it lies below. */
  path: string
  /** What the sidebar calls its list, and where it stands there. */
  nav: Exclude<keyof Messages['nav'], 'main'>
  group: 'catalogue' | 'people'
  icon: LucideIcon
  tone: Tone
  /** Where a link leads: to a screen of its own, else to its editor, whose history is then a screen. */
  opens: 'detail' | 'edit'
  /** Whether it is written as JSON in an editor, and made there. */
  hasEditor: boolean
}

/**
 * Every kind of thing that has screens, and where they are: the one list of kinds in the console. What links to things,
 * or shows several kinds at once, asks it; `<area>/area.ts` says everything else about a kind, and comes with its screens.
 */
export const AREAS = {
  Media: {
    path: '/media',
    nav: 'media',
    group: 'catalogue',
    icon: Clapperboard,
    tone: 'accent',
    opens: 'detail',
    hasEditor: true,
  },
  Character: {
    path: '/characters',
    nav: 'characters',
    group: 'catalogue',
    icon: UserRound,
    tone: 'plum',
    opens: 'detail',
    hasEditor: true,
  },
  Tag: {
    path: '/tags',
    nav: 'tags',
    group: 'catalogue',
    icon: Hash,
    tone: 'neutral',
    opens: 'edit',
    hasEditor: true,
  },
  Asset: {
    path: '/assets',
    nav: 'assets',
    group: 'catalogue',
    icon: Images,
    tone: 'success',
    opens: 'detail',
    hasEditor: false,
  },
  Rating: {
    path: '/ratings',
    nav: 'ratings',
    group: 'people',
    icon: Star,
    tone: 'warning',
    opens: 'detail',
    hasEditor: false,
  },
  Tier: {
    path: '/score-permissions',
    nav: 'scorePermissions',
    group: 'people',
    icon: Gauge,
    tone: 'neutral',
    opens: 'edit',
    hasEditor: true,
  },
  User: {
    path: '/users',
    nav: 'users',
    group: 'people',
    icon: Users,
    tone: 'neutral',
    opens: 'edit',
    hasEditor: true,
  },
} as const satisfies Record<TrashKind, Place>

export type Kind = keyof typeof AREAS
export const KINDS = Object.keys(AREAS) as Kind[]

/** The kinds whose lists stand together in the sidebar, in its order. */
export const kindsOf = (group: Place['group']) => KINDS.filter((kind) => AREAS[kind].group === group)

/** Whether a name that the server sent is a kind that has screens. */
export const isKind = (name: string): name is Kind => Object.hasOwn(AREAS, name)

/** The path of the screen that shows a thing. */
export const screenOf = (kind: Kind, id: string) =>
  AREAS[kind].opens === 'detail' ? `${AREAS[kind].path}/${id}` : editorOf(kind, id)

export const editorOf = (kind: Kind, id: string) => `${AREAS[kind].path}/${id}/edit`
export const historyOf = (kind: Kind, id: string) => `${AREAS[kind].path}/${id}/history`

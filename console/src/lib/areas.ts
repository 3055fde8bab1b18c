import type { TrashKind } from '@mokuroku/contract/kinds'
import { Clapperboard, Gauge, Hash, Images, type LucideIcon, Star, UserRound, Users } from 'lucide-react'

/** What a kind is called, and counted as. */
export interface KindNames {
  /** Its list. */
  list: string
  name: string
  one: string
  many: string
  /** The button that adds one, where there is one. */
  add?: string
}

interface Place {
  /** Of its list; everything else about it lies below. */
  path: string
  en: KindNames
  zh: KindNames
  /** Where its list stands in the sidebar. */
  group: 'catalogue' | 'people'
  icon: LucideIcon
  tone: 'neutral' | 'accent' | 'success' | 'warning' | 'plum'
  /** Where a link leads: to a screen of its own, else to its editor, whose history is then a screen. */
  opens: 'detail' | 'edit'
  /** Whether it is written as JSON in an editor, and made there. */
  hasEditor: boolean
  /** A name alone makes one: it can be made where it is picked. */
  isMadeByName?: true
}

/**
 * Every kind of thing that has screens, and where they are: the one list of kinds in the console. What links to things,
 * or shows several kinds at once, asks it; `<area>/area.ts` says everything else about a kind, and comes with its screens.
 */
export const AREAS = {
  Media: {
    path: '/media',
    en: { list: 'Media', name: 'Media', one: 'media', many: 'media', add: 'Add New Media' },
    zh: { list: '作品', name: '作品', one: '部作品', many: '部作品', add: '新建作品' },
    group: 'catalogue',
    icon: Clapperboard,
    tone: 'accent',
    opens: 'detail',
    hasEditor: true,
  },
  Character: {
    path: '/characters',
    en: { list: 'Characters', name: 'Character', one: 'character', many: 'characters', add: 'Add New Character' },
    zh: { list: '角色', name: '角色', one: '个角色', many: '个角色', add: '新建角色' },
    isMadeByName: true,
    group: 'catalogue',
    icon: UserRound,
    tone: 'plum',
    opens: 'detail',
    hasEditor: true,
  },
  Tag: {
    path: '/tags',
    en: { list: 'Tags', name: 'Tag', one: 'tag', many: 'tags', add: 'Add New Tag' },
    zh: { list: '标签', name: '标签', one: '个标签', many: '个标签', add: '新建标签' },
    isMadeByName: true,
    group: 'catalogue',
    icon: Hash,
    tone: 'neutral',
    opens: 'edit',
    hasEditor: true,
  },
  Asset: {
    path: '/assets',
    en: { list: 'Assets', name: 'Asset', one: 'asset', many: 'assets' },
    zh: { list: '素材', name: '素材', one: '个素材', many: '个素材' },
    group: 'catalogue',
    icon: Images,
    tone: 'success',
    opens: 'detail',
    hasEditor: false,
  },
  Rating: {
    path: '/ratings',
    en: { list: 'Ratings', name: 'Rating', one: 'rating', many: 'ratings' },
    zh: { list: '评分', name: '评分', one: '条评分', many: '条评分' },
    group: 'people',
    icon: Star,
    tone: 'warning',
    opens: 'detail',
    hasEditor: false,
  },
  Tier: {
    path: '/score-permissions',
    en: {
      list: 'Score Permissions',
      name: 'Permission tier',
      one: 'tier',
      many: 'tiers',
      add: 'Add New Permission Tier',
    },
    zh: { list: '积分权限', name: '权限等级', one: '个权限等级', many: '个权限等级', add: '新建权限等级' },
    group: 'people',
    icon: Gauge,
    tone: 'neutral',
    opens: 'edit',
    hasEditor: true,
  },
  User: {
    path: '/users',
    en: { list: 'Users', name: 'User', one: 'user', many: 'users', add: 'Add New User' },
    zh: { list: '用户', name: '用户', one: '位用户', many: '位用户', add: '新建用户' },
    group: 'people',
    icon: Users,
    tone: 'neutral',
    opens: 'edit',
    hasEditor: true,
  },
} as const satisfies Record<TrashKind, Place>

export type Kind = keyof typeof AREAS
export const KINDS = Object.keys(AREAS) as Kind[]

/** What the kinds are called in a language of the console. */
export const kindNamesIn = (language: 'en' | 'zh') =>
  Object.fromEntries(KINDS.map((kind) => [kind, AREAS[kind][language]])) as Record<Kind, KindNames>

/** What of the names of kinds `pick` takes. */
export const ofKinds = (language: 'en' | 'zh', pick: (names: KindNames) => string) =>
  Object.fromEntries(KINDS.map((kind) => [kind, pick(AREAS[kind][language])])) as Record<Kind, string>

/** The kinds whose lists stand together in the sidebar, in its order. */
export const kindsOf = (group: Place['group']) => KINDS.filter((kind) => AREAS[kind].group === group)

/** Whether a name that the server sent is a kind that has screens. */
export const isKind = (name: string): name is Kind => Object.hasOwn(AREAS, name)

/** The path of the screen that shows a thing. */
export const screenOf = (kind: Kind, id: string) =>
  AREAS[kind].opens === 'detail' ? `${AREAS[kind].path}/${id}` : editorOf(kind, id)

export const editorOf = (kind: Kind, id: string) => `${AREAS[kind].path}/${id}/edit`
export const historyOf = (kind: Kind, id: string) => `${AREAS[kind].path}/${id}/history`

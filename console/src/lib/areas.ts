import type { TrashKind } from '@mokuroku/contract/kinds'
import { Clapperboard, Gauge, Hash, Images, type LucideIcon, Star, UserRound, Users } from 'lucide-react'

/** The names of a kind, and its singular and plural for counts. */
export interface KindNames {
  /** Title of its list. */
  list: string
  name: string
  one: string
  many: string
  /** Label of the button that adds one, if there is such a button. */
  add?: string
}

interface Place {
  /** Path of its list; its other screens are below it. */
  path: string
  en: KindNames
  zh: KindNames
  /** The sidebar group of its list. */
  group: 'catalogue' | 'people'
  icon: LucideIcon
  tone: 'neutral' | 'accent' | 'success' | 'warning' | 'plum'
  /** The letter that opens its list after g. */
  goKey: string
  /** Where links lead: to its detail screen, or to its editor; in the latter case, its history is a separate screen. */
  opens: 'detail' | 'edit'
  /** Whether it is created and edited in the JSON editor. */
  hasEditor: boolean
  /** It can be created from a name alone, and therefore in pickers. */
  isMadeByName?: true
}

/**
 * All kinds that have screens, and their paths: the console's only list of kinds, for code that links to entities or
 * shows several kinds. `<area>/area.tsx` has everything else about a kind, and is loaded with its screens.
 */
export const AREAS = {
  Media: {
    path: '/media',
    en: { list: 'Media', name: 'Media', one: 'media', many: 'media', add: 'Add New Media' },
    zh: { list: '作品', name: '作品', one: '部作品', many: '部作品', add: '新建作品' },
    group: 'catalogue',
    icon: Clapperboard,
    tone: 'accent',
    goKey: 'm',
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
    goKey: 'c',
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
    goKey: 't',
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
    goKey: 'a',
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
    goKey: 'r',
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
    goKey: 'p',
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
    goKey: 'u',
    opens: 'edit',
    hasEditor: true,
  },
} as const satisfies Record<TrashKind, Place>

export type Kind = keyof typeof AREAS
export const KINDS = Object.keys(AREAS) as Kind[]

/** The names of the kinds in a language of the console. */
export const kindNamesIn = (language: 'en' | 'zh') =>
  Object.fromEntries(KINDS.map((kind) => [kind, AREAS[kind][language]])) as Record<Kind, KindNames>

/** One name of each kind, chosen by `pick`. */
export const ofKinds = (language: 'en' | 'zh', pick: (names: KindNames) => string) =>
  Object.fromEntries(KINDS.map((kind) => [kind, pick(AREAS[kind][language])])) as Record<Kind, string>

/** The kinds in a group of the sidebar, in its order. */
export const kindsOf = (group: Place['group']) => KINDS.filter((kind) => AREAS[kind].group === group)

/** Whether a name from the server is a kind that has screens. */
export const isKind = (name: string): name is Kind => Object.hasOwn(AREAS, name)

/** The path of the screen that shows an entity. */
export const screenOf = (kind: Kind, id: string) =>
  AREAS[kind].opens === 'detail' ? `${AREAS[kind].path}/${id}` : editorOf(kind, id)

export const editorOf = (kind: Kind, id: string) => `${AREAS[kind].path}/${id}/edit`
export const historyOf = (kind: Kind, id: string) => `${AREAS[kind].path}/${id}/history`

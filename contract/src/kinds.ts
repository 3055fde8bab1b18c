import type { Capability } from './tiers.ts'

/** What a kind of entity takes part in. A part that is left out is one that the kind has not. */
interface KindOptions {
  /** Of its table; its calls are at `/api/<plural>` unless `path` says otherwise. */
  plural: string
  path?: string
  /**
   * Its texts by language: `fields`, of which `title` names it; `original` holds the name in the original language, `aliases` further names, `readings`
   * how they are read.
   */
  texts?: { title: string; original?: string; aliases?: string; readings?: string; fields: readonly string[] }
  /** It is found by search; the search index marks its texts by this letter, which no other kind has. */
  searchLetter?: string
  /** It is part of the catalogue: its writes are activities (`MEDIA_CREATED`), and its entities are counted. */
  catalogue?: true
  /** Its entities are also counted by the values of this field. */
  countedBy?: string
  /** Filters of its list that are called otherwise than the column that they compare. */
  filters?: Record<string, string>
  /** The date that its list is filtered by, from one day to another. */
  dateField?: string
  /** What is deleted goes to the trash, and can be restored. */
  trash?: true
  /** The permission that lets a user create it. Without one, moderators and administrators do, or its own rule says. */
  createdWith?: Capability
  /** Only administrators write it. */
  adminOnly?: true
  /** Who may read its history, where not everybody does. */
  historyFor?: 'moderator' | 'admin'
  /** What uses something is named, and not only counted. */
  namedInUses?: true
  /** Its uses of a tag are counted in this column of the tag. */
  tagCounter?: 'mediaCount' | 'characterCount'
}

/** The kinds of entity that are stored, in the order in which lists of kinds show them. */
export const kinds = {
  Media: {
    plural: 'media',
    texts: {
      title: 'title',
      original: 'originalTitle',
      aliases: 'aliases',
      readings: 'readings',
      fields: ['title', 'description'],
    },
    searchLetter: 'm',
    catalogue: true,
    filters: { type: 'mediaType' },
    dateField: 'releaseDate',
    trash: true,
    createdWith: 'canCreateMedia',
    namedInUses: true,
    tagCounter: 'mediaCount',
  },
  Character: {
    plural: 'characters',
    texts: {
      title: 'name',
      original: 'originalName',
      aliases: 'aliases',
      readings: 'readings',
      fields: ['name', 'description'],
    },
    searchLetter: 'c',
    catalogue: true,
    trash: true,
    createdWith: 'canCreateCharacter',
    namedInUses: true,
    tagCounter: 'characterCount',
  },
  Tag: {
    plural: 'tags',
    texts: { title: 'name', fields: ['name', 'description'] },
    searchLetter: 't',
    catalogue: true,
    countedBy: 'type',
    trash: true,
    createdWith: 'canCreateTag',
  },
  Asset: { plural: 'assets', searchLetter: 'a', catalogue: true, countedBy: 'type', trash: true },
  Rating: { plural: 'ratings', trash: true, createdWith: 'canRateContent' },
  User: { plural: 'users', searchLetter: 'u', trash: true, adminOnly: true, historyFor: 'moderator' },
  Tier: { plural: 'tiers', path: '/api/score-permissions', trash: true, adminOnly: true },
  Setting: { plural: 'settings', adminOnly: true, historyFor: 'admin' },
} as const satisfies Record<string, KindOptions>

export type Kind = keyof typeof kinds
/** The kinds that have a part, such as `texts` or `trash`. */
export type KindWith<Part extends keyof KindOptions> = {
  [Each in Kind]: Part extends keyof (typeof kinds)[Each] ? Each : never
}[Kind]

export const KINDS = Object.keys(kinds) as Kind[]

/** The options of a kind, where it matters not which kind. */
export const kindOf = (kind: Kind): KindOptions => kinds[kind]

/** The kinds that have a part, in their order. */
export const kindsWith = <Part extends keyof KindOptions>(part: Part): KindWith<Part>[] =>
  KINDS.filter((kind): kind is KindWith<Part> => part in kinds[kind])

/** Where the calls of a kind are. */
export const pathOf = (kind: Kind): string => kindOf(kind).path ?? `/api/${kinds[kind].plural}`
/** The paths of kinds, as types. */
export type PathOf<K extends Kind> = (typeof kinds)[K] extends { path: infer Path extends string }
  ? Path
  : `/api/${(typeof kinds)[K]['plural']}`

export const TRANSLATED_KINDS = kindsWith('texts')
export type Translated = KindWith<'texts'>
export const isTranslated = (name: string): name is Translated => TRANSLATED_KINDS.some((kind) => kind === name)

export const SEARCHED_KINDS = kindsWith('searchLetter')
export type SearchedKind = KindWith<'searchLetter'>

export const CATALOGUE = kindsWith('catalogue')

export const TRASH_KINDS = kindsWith('trash')
export type TrashKind = KindWith<'trash'>

import type { Capability } from './tiers.ts'

/** The features of a kind of entity. A kind does not have the features that are omitted. */
interface KindOptions {
  /** The name of its table. Its routes are at `/api/<plural>`, unless `path` is given. */
  plural: string
  path?: string
  /**
   * Its texts by language: `fields`, of which `title` names the entity. Outside the translations, `original` is the
   * field with the original title, `aliases` that with alternative names, `readings` that with their readings.
   */
  texts?: { title: string; original?: string; aliases?: string; readings?: string; fields: readonly string[] }
  /** It can be searched; this letter, unique to the kind, marks its texts in the search index. */
  searchLetter?: string
  /** It is part of the catalogue: its writes create activities (`MEDIA_CREATED`), and its entities are counted. */
  catalogue?: true
  /** Its entities are also counted by the value of this field. */
  countedBy?: string
  /** List filters whose name differs from the column they compare. */
  filters?: Record<string, string>
  /** The date column of the filters `from` and `to`. */
  dateField?: string
  /** Deleted entities go to the trash and can be restored. */
  trash?: true
  /** The permission to create it. If omitted: moderators and administrators, or a rule of its own. */
  createdWith?: Capability
  /** Only administrators can write it. */
  adminOnly?: true
  /** The role required to read its history; if omitted, every user can. */
  historyFor?: 'moderator' | 'admin'
  /** Lists of uses name its entities, instead of only counting them. */
  namedInUses?: true
  /** The column of a tag that counts its uses by this kind. */
  tagCounter?: 'mediaCount' | 'characterCount'
}

/** All kinds of stored entities, in display order. The store of a kind imports only those of kinds below it here. */
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
/** The kinds that have a feature, such as `texts` or `trash`. */
export type KindWith<Part extends keyof KindOptions> = {
  [Each in Kind]: Part extends keyof (typeof kinds)[Each] ? Each : never
}[Kind]

export const KINDS = Object.keys(kinds) as Kind[]

/** The options of a kind that is known only at runtime. */
export const kindOf = (kind: Kind): KindOptions => kinds[kind]

/** The kinds that have a feature, in display order. */
export const kindsWith = <Part extends keyof KindOptions>(part: Part): KindWith<Part>[] =>
  KINDS.filter((kind): kind is KindWith<Part> => part in kinds[kind])

/** The base path of a kind's routes. */
export const pathOf = (kind: Kind): string => kindOf(kind).path ?? `/api/${kinds[kind].plural}`
/** The base path of a kind's routes, as a type. */
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

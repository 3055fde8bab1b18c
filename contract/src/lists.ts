import * as z from 'zod/mini'
import { BooleanParam, Id, Language, text, Timestamp } from './common.ts'
import { canonical } from './languageTags.ts'
import { SENTENCES } from './faults.ts'
import { FINDING_CODES } from './findings.ts'

/** How many entities that match are counted; of more, a list says only that there are more. */
export const MAX_TOTAL = 10_000

/** What `X-Total-Count` says of `total` entities: the exact number, or `10000+`. */
export const totalText = (total: number): string => (total > MAX_TOTAL ? `${MAX_TOTAL}+` : String(total))

/** How the tags that a list is filtered by are taken: an entity has one of them, all, or none. */
export const TAGS_MODES = ['any', 'all', 'none'] as const

/** The ids of tags in one address. */
const MAX_TAGS = 50

const CODES = new Set<string | undefined>(FINDING_CODES)
/** A finding's code, and the language that it is about: `missing`, `missing:zh-Hans`. */
const FindingParam = text(66).check(
  z.refine((value) => {
    const [code, ...about] = value.split(':')
    return CODES.has(code) && about.length <= 1 && about.every((tag) => canonical(tag) !== undefined)
  }, SENTENCES.finding),
)

/** The parameters of a list that say which part of it is answered, and in which order: no filters. */
export const PAGING = ['page', 'limit', 'skip', 'sort']

/** The filters of a list's query, by name. */
export const filtersIn = (query: z.ZodMiniObject): [name: string, schema: z.ZodMiniType][] =>
  Object.entries(query.shape as Record<string, z.ZodMiniType>).filter(([name]) => !PAGING.includes(name))

/** The columns that the lists of every kind with texts can be sorted by. */
export const ENTITY_SORTS = ['createdAt', 'updatedAt'] as const

/**
 * What every list of a kind with texts takes. All filters can be combined; what is left out, or empty, filters nothing.
 */
export const entityFilters = {
  search: z.optional(text(200).check(z.trim())),
  /** Only what this user created or changed lately: the recent items of a picker. */
  userId: z.optional(Id),
  /** Only what has this finding: a code, or a code and a language. */
  finding: z.optional(FindingParam),
  /** Only what has a title or name in this language, or one of its family. */
  language: z.optional(Language),
  /** Only what has no title or name in this language, nor in one of its family. */
  missing: z.optional(Language),
  /** Only what this user created. */
  createdBy: z.optional(Id),
  /** Only what was written at this moment or later. */
  updatedSince: z.optional(Timestamp),
}

/** What lists of kinds with tags take beside it: ids, separated by commas. */
export const tagFilters = {
  tags: z.optional(text(MAX_TAGS * 65).check(z.refine((ids) => ids.split(',').length <= MAX_TAGS, SENTENCES.tagsMany))),
  /** Left out, 'any'. */
  tagsMode: z.optional(z.enum(TAGS_MODES)),
}

/** What lists of kinds with a cover take beside it. */
export const coverFilter = { hasCover: z.optional(BooleanParam) }

/** The days of a range of dates, both included, in UTC: '2023-09-29'. */
export const dayFilters = { from: z.optional(z.iso.date()), to: z.optional(z.iso.date()) }

/** The parameters that every list with them shows in one way; a kind's own are shown by its own screen. */
export type GeneralFilter =
  | Exclude<keyof typeof entityFilters, 'search'>
  | keyof typeof tagFilters
  | keyof typeof coverFilter
  | keyof typeof dayFilters
  | 'ratingMin'

/** The names of all filters above: those of a kind's own columns are the others of its query. */
export const GENERAL_FILTERS = [entityFilters, tagFilters, coverFilter, dayFilters].flatMap((filters) =>
  Object.keys(filters),
)

/** The filters of a list as an address holds them: by name, as text. Which there are, the list's query says. */
export const FilterTexts = z
  .record(
    text(64),
    z.pipe(z.union([text(4000), z.number().check(z.gte(-1e9), z.lte(1e9)), z.boolean()]), z.transform(String)),
  )
  .check(z.refine((filters) => Object.keys(filters).length <= 30, SENTENCES.filtersMany))

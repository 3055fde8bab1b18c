import * as z from 'zod/mini'
import { BooleanParam, decimalParam, Id, Language, text, Timestamp } from './common.ts'
import { canonical } from './languageTags.ts'
import { SENTENCES } from './faults.ts'
import { FINDING_CODES } from './findings.ts'

/** The maximum number of matching entities that are counted; beyond it, a list only says that there are more. */
export const MAX_TOTAL = 10_000

/** The value of `X-Total-Count` for `total` entities: the exact number, or `10000+`. */
export const totalText = (total: number): string => (total > MAX_TOTAL ? `${MAX_TOTAL}+` : String(total))

/** How the tag filter matches: an entity has any, all or none of the tags. */
export const TAGS_MODES = ['any', 'all', 'none'] as const

/** The maximum number of tag ids in the filter. */
const MAX_TAGS = 50

const CODES = new Set<string | undefined>(FINDING_CODES)
/** The code of a finding, optionally with a language: `missing`, `missing:zh-Hans`. */
const FindingParam = text(66).check(
  z.refine((value) => {
    const [code, ...about] = value.split(':')
    return CODES.has(code) && about.length <= 1 && about.every((tag) => canonical(tag) !== undefined)
  }, SENTENCES.finding),
)

/** The parameters for pagination and sort order, which are not filters. */
export const PAGING = ['page', 'limit', 'skip', 'sort']

/** The filters of a list's query as pairs of name and schema. */
export const filtersIn = (query: z.ZodMiniObject): [name: string, schema: z.ZodMiniType][] =>
  Object.entries(query.shape as Record<string, z.ZodMiniType>).filter(([name]) => !PAGING.includes(name))

/** The columns that the lists of every kind with texts can be sorted by. */
export const ENTITY_SORTS = ['createdAt', 'updatedAt'] as const

/**
 * The filters of every list of a kind with texts. They can be combined; omitted and empty ones are ignored.
 */
export const entityFilters = {
  search: z.optional(text(200).check(z.trim())),
  /** Only what this user created or changed recently: the recent items of a picker. */
  userId: z.optional(Id),
  /** Only entities with this finding: a code, or a code and a language. */
  finding: z.optional(FindingParam),
  /** Only entities with a title or name in this language or its family. */
  language: z.optional(Language),
  /** Only entities without a title or name in this language or its family. */
  missing: z.optional(Language),
  /** Only entities that this user created. */
  createdBy: z.optional(Id),
  /** Only entities last written at or after this moment. */
  updatedSince: z.optional(Timestamp),
}

/** The additional filters of kinds with tags. `tags`: ids, separated by commas. */
export const tagFilters = {
  tags: z.optional(text(MAX_TAGS * 65).check(z.refine((ids) => ids.split(',').length <= MAX_TAGS, SENTENCES.tagsMany))),
  /** The default is 'any'. */
  tagsMode: z.optional(z.enum(TAGS_MODES)),
}

/** The additional filter of kinds with a cover. */
export const coverFilter = { hasCover: z.optional(BooleanParam) }

/** A range of days, inclusive, in UTC: '2023-09-29'. */
export const dayFilters = { from: z.optional(z.iso.date()), to: z.optional(z.iso.date()) }

/** The additional filter of kinds with ratings: only those with at least this average rating. */
export const ratingFilter = { ratingMin: z.optional(decimalParam(0, 10)) }

const generalFilters = { ...entityFilters, ...tagFilters, ...coverFilter, ...dayFilters, ...ratingFilter }

/** The filters that all lists display in the same way; the screen of a kind displays the kind's own filters. */
export type GeneralFilter = Exclude<keyof typeof generalFilters, 'search'>

/** The names of all filters above. Any other filter of a list's query is on a column of its kind. */
export const GENERAL_FILTERS = Object.keys(generalFilters)

/** The filters of a list as text by name, as in a URL. Which names are valid depends on the list's query schema. */
export const FilterTexts = z
  .record(
    text(64),
    z.pipe(z.union([text(4000), z.number().check(z.gte(-1e9), z.lte(1e9)), z.boolean()]), z.transform(String)),
  )
  .check(z.refine((filters) => Object.keys(filters).length <= 30, SENTENCES.filtersMany))

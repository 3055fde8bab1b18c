import type { GeneralFilter } from '@mokuroku/contract/lists'
import type { MediaQuery } from '@mokuroku/contract/media'
import type { TrashQuery } from '@mokuroku/contract/trash'
import type * as z from 'zod/mini'

/** The general filters of a list, as URL parameters: those of media, which have all of the catalogue, and of the trash. */
export type ListState = Pick<Partial<z.output<typeof MediaQuery>>, Exclude<GeneralFilter, 'userId'>> &
  Pick<Partial<z.output<typeof TrashQuery>>, 'deletedBy' | 'deletedFrom' | 'deletedTo'>

/** General filters of lists, each with its URL parameters. A list may have only some of them. */
export const FILTERS = {
  finding: ['finding'],
  missing: ['missing'],
  language: ['language'],
  tags: ['tags', 'tagsMode'],
  hasCover: ['hasCover'],
  days: ['from', 'to'],
  ratingMin: ['ratingMin'],
  createdBy: ['createdBy'],
  updatedSince: ['updatedSince'],
  deletedBy: ['deletedBy'],
  deleted: ['deletedFrom', 'deletedTo'],
} as const satisfies Record<string, readonly (keyof ListState)[]>

export type FilterName = keyof typeof FILTERS
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** The filters of a list: those whose parameters its query schema has. */
export const filtersIn = (shape: object): FilterName[] =>
  FILTER_NAMES.filter((name) => FILTERS[name].every((parameter) => parameter in shape))

/** Whether a filter is set in the URL. How tags are matched (`tagsMode`) does not count without tags. */
export const isActive = (name: FilterName, state: ListState): boolean =>
  FILTERS[name].some((parameter) => parameter !== 'tagsMode' && (state[parameter] ?? '') !== '')

/** A change that removes a filter from the URL. */
export const without = (name: FilterName): Partial<Record<keyof ListState, undefined>> =>
  Object.fromEntries(FILTERS[name].map((parameter) => [parameter, undefined]))

import type { GeneralFilter } from '@mokuroku/contract/lists'
import type { MediaQuery } from '@mokuroku/contract/media'
import type * as z from 'zod/mini'

/** The general filters of a list, as its address holds them; media have all of them. */
export type ListState = Pick<Partial<z.output<typeof MediaQuery>>, Exclude<GeneralFilter, 'userId'>>

/** The filters that every list of a kind with texts has some of, each with the parameters of the address that hold it. */
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
} as const satisfies Record<string, readonly (keyof ListState)[]>

export type FilterName = keyof typeof FILTERS
const FILTER_NAMES = Object.keys(FILTERS) as FilterName[]

/** The filters that a list takes: those whose parameters its query has. */
export const filtersIn = (shape: object): FilterName[] =>
  FILTER_NAMES.filter((name) => FILTERS[name].every((parameter) => parameter in shape))

/** Whether an address says anything of a filter. A way to match tags is nothing without tags. */
export const isActive = (name: FilterName, state: ListState): boolean =>
  FILTERS[name].some((parameter) => parameter !== 'tagsMode' && (state[parameter] ?? '') !== '')

/** What takes a filter out of the address. */
export const without = (name: FilterName): Partial<Record<keyof ListState, undefined>> =>
  Object.fromEntries(FILTERS[name].map((parameter) => [parameter, undefined]))

import * as z from 'zod/mini'
import { Moment, NamesByLanguage, page, WholeNumber } from './common.ts'
import { FINDING_CODES } from './findings.ts'
import { CATALOGUE, TRANSLATED_KINDS } from './kinds.ts'
import { get } from './route.ts'

export const Stats = z.object({
  mediaCount: WholeNumber,
  characterCount: WholeNumber,
  tagCount: WholeNumber,
  assetCount: WholeNumber,
  /** By tag type. */
  tagUsage: z.record(z.string(), z.object({ count: WholeNumber, totalUsage: WholeNumber })),
})
export type Stats = z.output<typeof Stats>

/** The events of an entity of the catalogue. */
const ACTIONS = ['CREATED', 'UPDATED', 'DELETED', 'RESTORED', 'PURGED'] as const
export type CatalogueAction = (typeof ACTIONS)[number]

/** All types of activity; the server writes no others. */
export const ACTIVITY_TYPES = [
  ...CATALOGUE.flatMap((kind) =>
    ACTIONS.map((action) => `${kind.toUpperCase() as Uppercase<typeof kind>}_${action}` as const),
  ),
  'TRANSLATION_UPDATED',
  'RATING_ADDED',
  'ASSETS_DELETED',
  'ASSETS_RESTORED',
  'CATALOGUE_IMPORTED',
] as const
export type ActivityType = (typeof ACTIVITY_TYPES)[number]

export const Activity = z.object({
  _id: z.string(),
  type: z.enum(ACTIVITY_TYPES),
  description: z.string(),
  username: z.string(),
  /** The user who did it; null if it was not done by an account. */
  userId: z.nullable(z.string()),
  /** The affected entity, with its `title` at that time. All empty if the activity is not about a single entity. */
  entityType: z.string(),
  entityId: z.string(),
  title: z.string(),
  /** Whether the entity still exists. */
  isThere: z.boolean(),
  /**
   * Its current title or name by language; absent if it is in the trash or deleted, and for kinds whose names have no
   * language.
   */
  translations: z.optional(NamesByLanguage),
  createdAt: Moment,
})
export type Activity = z.output<typeof Activity>

export const ActivityQuery = z.object({ ...page(20), type: z.optional(z.enum(ACTIVITY_TYPES)) })

/** A count once a day, by day (UTC), oldest first; days without a recorded count are omitted. */
const PastCounts = z.array(z.object({ day: z.string(), count: WholeNumber }))
export type PastCounts = z.output<typeof PastCounts>

/** How many days the trends of the dashboard go back. */
export const TREND_DAYS = 7

/**
 * The number of entities of a kind with a finding that the caller may correct. If the caller may edit only what they
 * created, `createdBy` is their id, there are no past counts, and at most 10,000 entities are examined.
 */
const FindingWork = z.object({
  createdBy: z.optional(z.string()),
  entityType: z.enum(TRANSLATED_KINDS),
  code: z.enum(FINDING_CODES),
  language: z.optional(z.string()),
  count: WholeNumber,
  past: PastCounts,
})
export type FindingWork = z.output<typeof FindingWork>

const FileWork = z.object({ count: WholeNumber, size: WholeNumber, past: PastCounts })
type FileWork = z.output<typeof FileWork>

/** A wanted language: how many (`filled`) of all entities of a kind (`of`) have a title or name in it. */
const Completeness = z.object({
  tag: z.string(),
  shares: z.array(
    z.object({
      entityType: z.enum(TRANSLATED_KINDS),
      filled: WholeNumber,
      of: WholeNumber,
      past: z.array(z.object({ day: z.string(), filled: WholeNumber, of: WholeNumber })),
    }),
  ),
})
export type Completeness = z.output<typeof Completeness>

const Work = z.object({
  findings: z.array(FindingWork),
  /** Only for users who may delete the files of others; sizes in bytes. */
  files: z.optional(z.object({ unused: FileWork, failed: FileWork })),
  languages: z.array(Completeness),
  /** Present while the catalogue is being checked again with the current rules. */
  progress: z.optional(z.object({ done: WholeNumber, total: WholeNumber })),
})
export type Work = z.output<typeof Work>

export const dashboardApi = {
  /** The caller's pending work, its trend over TREND_DAYS, and the completeness of each wanted language. */
  work: get('/api/dashboard/work', { response: Work, cached: true }),

  stats: get('/admin/stats', { response: Stats, cached: true }),
  recentActivities: get('/admin/recent-activities', { response: z.array(Activity), cached: true }),
  activities: get('/api/activities', { query: ActivityQuery, response: z.array(Activity), cached: true }),
}

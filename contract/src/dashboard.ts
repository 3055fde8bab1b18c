import * as z from 'zod/mini'
import { page } from './common.ts'
import { FINDING_CODES } from './findings.ts'
import { CATALOGUE, TRANSLATED_KINDS } from './kinds.ts'
import { get } from './route.ts'

export const Stats = z.object({
  mediaCount: z.number(),
  characterCount: z.number(),
  tagCount: z.number(),
  assetCount: z.number(),
  /** By tag type. */
  tagUsage: z.record(z.string(), z.object({ count: z.number(), totalUsage: z.number() })),
})
export type Stats = z.output<typeof Stats>

/** What may happen to what is in the catalogue. */
const ACTIONS = ['CREATED', 'UPDATED', 'DELETED', 'RESTORED', 'PURGED'] as const
export type CatalogueAction = (typeof ACTIONS)[number]

/** Every type that an activity may have; the server writes no other. */
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
  /** Of who did it; null where no account did. */
  userId: z.nullable(z.string()),
  /** What it happened to; `title` as it was then. Empty when it is about no single entity. */
  entityType: z.string(),
  entityId: z.string(),
  title: z.string(),
  /** Whether what it happened to is still there. */
  isThere: z.boolean(),
  createdAt: z.string(),
})
export type Activity = z.output<typeof Activity>

export const ActivityQuery = z.object({ ...page(20), type: z.optional(z.enum(ACTIVITY_TYPES)) })

/** A number as it was at the end of a day (UTC), the oldest first; days that nobody noted are left out. */
const PastCounts = z.array(z.object({ day: z.string(), count: z.number() }))
export type PastCounts = z.output<typeof PastCounts>

/** How many days the dashboard looks back. */
export const TREND_DAYS = 7

/**
 * Entities of a kind with a finding: what the caller may correct. `createdBy` is the caller where that is only what they
 * created; of that no past is kept, and of more than 10,000 entities only so many are looked at.
 */
const FindingWork = z.object({
  createdBy: z.optional(z.string()),
  entityType: z.enum(TRANSLATED_KINDS),
  code: z.enum(FINDING_CODES),
  language: z.optional(z.string()),
  count: z.number(),
  past: PastCounts,
})
export type FindingWork = z.output<typeof FindingWork>

const FileWork = z.object({ count: z.number(), size: z.number(), past: PastCounts })
export type FileWork = z.output<typeof FileWork>

/** A wanted language: of how many entities of a kind it names so many. */
const Completeness = z.object({
  tag: z.string(),
  shares: z.array(
    z.object({
      entityType: z.enum(TRANSLATED_KINDS),
      filled: z.number(),
      of: z.number(),
      past: z.array(z.object({ day: z.string(), filled: z.number(), of: z.number() })),
    }),
  ),
})
export type Completeness = z.output<typeof Completeness>

const Work = z.object({
  findings: z.array(FindingWork),
  /** Only for those who may delete files of others; sizes in bytes. */
  files: z.optional(z.object({ unused: FileWork, failed: FileWork })),
  languages: z.array(Completeness),
  /** While not all of the catalogue is checked by the present rules. */
  progress: z.optional(z.object({ done: z.number(), total: z.number() })),
})
export type Work = z.output<typeof Work>

export const dashboardApi = {
  /** What there is to do for the caller, how that changed within TREND_DAYS, and how complete each language is. */
  work: get('/api/dashboard/work', { response: Work, cached: true }),

  stats: get('/admin/stats', { response: Stats, cached: true }),
  recentActivities: get('/admin/recent-activities', { response: z.array(Activity), cached: true }),
  activities: get('/api/activities', { query: ActivityQuery, response: z.array(Activity), cached: true }),
}

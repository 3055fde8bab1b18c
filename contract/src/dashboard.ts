import * as z from 'zod/mini'
import { page } from './common.ts'
import { CATALOGUE } from './kinds.ts'
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
  /** What it happened to; `title` as it was then. Empty when it is about no single entity. */
  entityType: z.string(),
  entityId: z.string(),
  title: z.string(),
  createdAt: z.string(),
})
export type Activity = z.output<typeof Activity>

export const ActivityQuery = z.object({ ...page(20), type: z.optional(z.enum(ACTIVITY_TYPES)) })

export const dashboardApi = {
  stats: get('/admin/stats', { response: Stats }),
  recentActivities: get('/admin/recent-activities', { response: z.array(Activity) }),
  activities: get('/api/activities', { query: ActivityQuery, response: z.array(Activity) }),
}

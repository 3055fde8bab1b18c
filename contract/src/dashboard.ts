import * as z from 'zod/mini'
import { page } from './common.ts'
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

/** `type` is one of the specification's four, or another of the same pattern such as MEDIA_DELETED. */
export const Activity = z.object({
  _id: z.string(),
  type: z.string(),
  description: z.string(),
  username: z.string(),
  /** What it happened to; `title` as it was then. */
  entityType: z.string(),
  entityId: z.string(),
  title: z.string(),
  createdAt: z.string(),
})
export type Activity = z.output<typeof Activity>

export const ACTIVITY_TYPES = [
  'MEDIA_CREATED',
  'MEDIA_UPDATED',
  'MEDIA_DELETED',
  'MEDIA_RESTORED',
  'CHARACTER_CREATED',
  'TAG_CREATED',
  'TRANSLATION_UPDATED',
  'RATING_ADDED',
  'CATALOGUE_IMPORTED',
] as const

export const ActivityQuery = z.object({ ...page(20), type: z.optional(z.enum(ACTIVITY_TYPES)) })

export const dashboardApi = {
  stats: get('/admin/stats', { response: Stats }),
  recentActivities: get('/admin/recent-activities', { response: z.array(Activity) }),
  activities: get('/api/activities', { query: ActivityQuery, response: z.array(Activity) }),
}

import type { Activity, ActivityType } from '@mokuroku/contract/dashboard'
import { activityTexts } from './activityTexts.ts'

/** Longest gap between consecutive activities of one group. */
const MAX_GAP_MS = 10 * 60_000

/** Consecutive activities of one person and one type, newest first. */
export interface ActivityGroup {
  newest: Activity
  activities: Activity[]
}

/** Groups consecutive activities of the same person, known type and kind; `activities` are newest first. */
export function groupActivities(activities: readonly Activity[]): ActivityGroup[] {
  const groups: ActivityGroup[] = []
  for (const activity of activities) {
    const group = groups.at(-1)
    const last = group?.activities.at(-1)
    if (group && last && belongs(activity, last)) group.activities.push(activity)
    else groups.push({ newest: activity, activities: [activity] })
  }
  return groups
}

const belongs = (one: Activity, later: Activity): boolean =>
  isKnown(one.type) &&
  one.type === later.type &&
  one.username === later.username &&
  one.entityType === later.entityType &&
  Date.parse(later.createdAt) - Date.parse(one.createdAt) <= MAX_GAP_MS

/** False for a type that only a newer server knows. */
export const isKnown = (type: string): type is ActivityType => Object.hasOwn(activityTexts.get().types, type)

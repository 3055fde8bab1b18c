import type { Activity } from '@mokuroku/contract/dashboard'

/** So close together do activities of one group follow each other. */
const MAX_GAP_MS = 10 * 60_000

/** Activities in a row of one person, of one type: the newest first, and of how many it stands for. */
export interface ActivityGroup {
  newest: Activity
  activities: Activity[]
}

/** Groups what one person did again and again, without others in between; `activities` are the newest first. */
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
  one.type === later.type &&
  one.username === later.username &&
  one.entityType === later.entityType &&
  Date.parse(later.createdAt) - Date.parse(one.createdAt) <= MAX_GAP_MS

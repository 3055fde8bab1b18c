import type { Activity, ActivityType, Stats } from '@mokuroku/contract/dashboard'
import { TAG_TYPES } from '@mokuroku/contract/tags'
import { countersOf } from '#ledger/counters.ts'
import { db } from '#database/db.ts'

const HEADLINES = ['mediaCount', 'characterCount', 'tagCount', 'assetCount'] as const

export const dashboard = {
  /** The headline numbers, all of them kept: nothing is counted here. */
  stats: async (): Promise<Stats> => {
    const kept = await countersOf(db, [
      ...HEADLINES,
      ...TAG_TYPES.flatMap((type) => [`tagCount.${type}`, `tagUsage.${type}`]),
    ])
    const of = (name: string): number => kept[name] ?? 0
    return {
      mediaCount: of('mediaCount'),
      characterCount: of('characterCount'),
      tagCount: of('tagCount'),
      assetCount: of('assetCount'),
      tagUsage: Object.fromEntries(
        TAG_TYPES.map((type) => [type, { count: of(`tagCount.${type}`), totalUsage: of(`tagUsage.${type}`) }]),
      ),
    }
  },

  activities: (page: number, limit: number, type?: ActivityType): Promise<Activity[]> =>
    db
      .selectFrom('activities')
      .selectAll()
      .$if(type !== undefined, (query) => query.where('type', '=', type ?? 'MEDIA_CREATED'))
      .orderBy('createdAt', 'desc')
      .orderBy('_id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute(),
}

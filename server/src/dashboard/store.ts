import type { Activity, ActivityType, Stats } from '@mokuroku/contract/dashboard'
import { TAG_TYPES } from '@mokuroku/contract/tags'
import { countersOf } from '#ledger/counters.ts'
import { db } from '#database/db.ts'
import { presentNames } from '#ledger/presentNames.ts'

const HEADLINES = ['mediaCount', 'characterCount', 'tagCount', 'assetCount'] as const

export const dashboard = {
  /** The headline numbers, all from counters. */
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

  activities: async (page: number, limit: number, type?: ActivityType): Promise<Activity[]> => {
    const rows = await db
      .selectFrom('activities')
      .selectAll()
      .$if(type !== undefined, (query) => query.where('type', '=', type ?? 'MEDIA_CREATED'))
      .orderBy('createdAt', 'desc')
      .orderBy('_id', 'desc')
      .limit(limit)
      .offset((page - 1) * limit)
      .execute()
    const names = await presentNames(rows)
    return rows.map((row) => ({ ...row, isThere: names.has(row.entityId), ...names.get(row.entityId) }))
  },
}

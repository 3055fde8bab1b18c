import type { Activity, ActivityType, Stats } from '@mokuroku/contract/dashboard'
import { TAG_TYPES } from '@mokuroku/contract/tags'
import { countersOf } from '#ledger/counters.ts'
import { KINDS } from '@mokuroku/contract/kinds'
import { db } from '#database/db.ts'
import { presentIds } from '#ledger/links.ts'

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
    const there = await presentAmong(rows)
    return rows.map((row) => ({ ...row, isThere: there.has(row.entityId) }))
  },
}

/** The ids of the activities' entities that exist and are not in the trash. */
async function presentAmong(rows: { entityType: string; entityId: string }[]): Promise<Set<string>> {
  const found = await Promise.all(
    KINDS.map((kind) => {
      const ids = rows.flatMap(({ entityType, entityId }) => (entityType === kind && entityId ? [entityId] : []))
      return presentIds(kind, [...new Set(ids)])
    }),
  )
  return new Set(found.flat())
}

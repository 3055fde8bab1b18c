import { db, engine } from '#lib/db.ts'
import { indexWith } from '#lib/ledger.ts'
import type { Kind } from '#lib/tables.ts'

export interface Match {
  entityId: string
  text: string
  language: string
  kind: 'exact' | 'prefix' | 'inside' | 'typo'
}

// A first version, replaced by the staged search over folded texts and grams.
export const search = {
  resume: async (_signal: AbortSignal): Promise<void> => undefined,
  find: async (kind: Kind, q: string, limit: number): Promise<{ status: 'ready' | 'indexing'; matches: Match[] }> => {
    const folded = q.toLowerCase()
    const rows = await db
      .selectFrom('labels')
      .select(['entityId', 'text', 'language'])
      .where('kind', '=', kind)
      .where('compact', '>=', folded)
      .where('compact', '<', `${folded}\u{10ffff}`)
      .limit(limit)
      .execute()
    return { status: 'ready', matches: rows.map((row) => ({ ...row, kind: 'prefix' })) }
  },
}

indexWith({
  index: async (tx, kind, entityId, labels) => {
    await tx.deleteFrom('labels').where('entityId', '=', entityId).execute()
    for (const label of labels)
      await tx
        .insertInto('labels')
        .values({
          ...label,
          kind,
          entityId,
          compact: label.text.toLowerCase(),
          ...(engine === 'postgres' && { grams: '' }),
        } as never)
        .execute()
  },
})

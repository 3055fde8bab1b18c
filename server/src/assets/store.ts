import type { Asset } from '@mokuroku/contract/assets'
import { db } from '#lib/db.ts'
import { ledger } from '#lib/ledger.ts'
import type { AssetFields, Tables } from '#lib/tables.ts'

interface AssetFilter {
  limit: number
  skip: number
  type?: Asset['type'] | undefined
  status?: Asset['status'] | undefined
  isPublic?: boolean | undefined
  relatedTo: { id: string }
}

export const assets = {
  ...ledger<AssetFields & Record<string, unknown>>({
    kind: 'Asset',
    fields: ['type', 'filename', 'mimeType', 'size', 'dimensions', 'status', 'isPublic', 'contentHash', 'storageKey'],
    empty: { isPublic: true, status: 'PENDING' },
    title: ({ filename }) => filename,
  }),

  /** Those of the assets that are there, by id, as covers show them. */
  refs: async (ids: string[]): Promise<Map<string, { _id: string; url: string; thumbnail?: string }>> => {
    if (ids.length === 0) return new Map()
    const rows = await db
      .selectFrom('assets')
      .select(['_id', 'type', 'storageKey'])
      .where('_id', 'in', ids)
      .where('deletedAt', 'is', null)
      .execute()
    return new Map(rows.map((row) => [row._id, { _id: row._id, ...addressesOf(row) }]))
  },

  /** The assets that a media points at, newest first; `total` is how many there are. */
  ofMedia: async ({ relatedTo, limit, skip, type, status, isPublic }: AssetFilter) => {
    const matching = db
      .selectFrom('links')
      .innerJoin('assets', 'assets._id', 'links.toId')
      .where('links.fromId', '=', relatedTo.id)
      .where('links.field', '=', 'assets')
      .where('assets.deletedAt', 'is', null)
      .$if(type !== undefined, (query) => query.where('assets.type', '=', type ?? 'IMAGE'))
      .$if(status !== undefined, (query) => query.where('assets.status', '=', status ?? 'READY'))
      .$if(isPublic !== undefined, (query) => query.where('assets.isPublic', '=', isPublic ?? true))
    const rows = await matching
      .selectAll('assets')
      .orderBy('assets.createdAt', 'desc')
      .orderBy('assets._id', 'desc')
      .limit(limit)
      .offset(skip)
      .execute()
    // A media has at most a thousand assets (contract), so this count is bounded.
    const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    return { data: rows.map(assetOf), pagination: { total, limit, skip } }
  },

  /** The asset behind a stored file, when anybody may see it. */
  publicFile: (storageKey: string) =>
    db
      .selectFrom('assets')
      .select(['mimeType', 'storageKey'])
      .where('storageKey', '=', storageKey)
      .where('isPublic', '=', true)
      .where('status', '=', 'READY')
      .where('deletedAt', 'is', null)
      .executeTakeFirst(),
}

/** Where an asset can be fetched, relative to the API host; images have a small version beside them. */
function addressesOf({ type, storageKey }: Pick<Tables['assets'], 'type' | 'storageKey'>): {
  url: string
  thumbnail?: string
} {
  const url = `/files/${storageKey}`
  return type === 'IMAGE' ? { url, thumbnail: `${url}?size=small` } : { url }
}

const assetOf = (row: Tables['assets']): Asset => ({ ...row, ...addressesOf(row) })

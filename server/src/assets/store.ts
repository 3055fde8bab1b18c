import { writeFile } from 'node:fs/promises'
import { type Asset, type AssetPagination, FILE_FIELDS, type UnusedInput } from '@mokuroku/contract/assets'
import { incrementCounter } from '#ledger/counters.ts'
import { inList } from '#database/inList.ts'
import { statement } from '#database/statement.ts'
import { db, locked, type Reader, type Transaction } from '#database/db.ts'
import { follow } from '#jobs/follow.ts'
import { drop, put } from '#jobs/queue.ts'
import type { Found } from '#ledger/definition.ts'
import { deriveUses } from '#ledger/findings.ts'
import { usesOf } from '#ledger/assetFlags.ts'
import { ledger } from '#ledger/ledger.ts'
import { lastGone } from '#ledger/trash.ts'
import { now } from '#lib/clock.ts'
import { orderByIds } from '#lib/orderByIds.ts'
import type { AssetFields, AssetFindings, Tables } from '#database/tables.ts'
import { notifications } from '#store/notifications'
import { search } from '#store/search'
import { firstUses } from '#store/uses'
import { users } from '#store/users'
import { UNFINISHED } from '#jobs/work.ts'
import { type AssetUrls, assetUrls } from './urls.ts'
import { sizedKey } from './keys.ts'
import { filtersOf, type List, matching, pageOf } from './listing.ts'
import { scheduleAssetFiles, deleteScheduled } from './fileDeletion.ts'
import { storage } from './storage.ts'

/** Number of assets changed in one transaction. */
const BATCH_SIZE = 1000

type Row = Tables['assets']

/** The kind of job that processes an asset's file (processing.ts). The job has the id of the asset. */
export const PROCESSING = 'assets.process'
/** How long a response waits for a file to be processed, in milliseconds. */
const WAIT_MS = 5000

/** Whether an asset's file has not been processed yet. */
export const isWaiting = (asset: object): boolean =>
  'status' in asset && ['PENDING', 'PROCESSING'].includes(String(asset.status))

const shownAssets = statement((from, ids: string[]) =>
  from
    .selectFrom('assets')
    .select(['_id', 'type', 'storageKey', 'isPublic', 'status', 'dimensions'])
    .where(inList('_id', ids))
    .where('deletedAt', 'is', null),
)

export const assets = {
  ...ledger<AssetFields & Record<string, unknown>>({
    kind: 'Asset',
    fields: ['type', 'filename', 'mimeType', 'size', 'isPublic', 'contentHash', 'storageKey'],
    empty: { isPublic: true },
    title: ({ filename }) => filename,
    labels: ({ filename }) => [{ language: '', text: filename }],
    hits: hitsOf,
    inTrash: (rows) => rows.map(({ size }) => ({ size })),
    together: FILE_FIELDS,
    restored: untilProcessed,
    derive: async (tx, id, before, after) => {
      incrementCounter(tx, 'assetSize', (after?.size ?? 0) - (before?.size ?? 0))
      if (before && after && before.storageKey !== after.storageKey) {
        await queueProcessing(tx, id)
        await users.moveAvatars(tx, before.storageKey, after.storageKey)
      }
    },
    forget: async (tx, id) => {
      await drop(tx, id)
      await scheduleAssetFiles(tx, id)
    },
  }),

  removeFiles: deleteScheduled,

  /** Stores an image created by the server, and its small version, before the asset row is inserted. */
  keepPicture: async (storageKey: string, picture: Uint8Array, small: Uint8Array): Promise<void> => {
    const files = [[storageKey, picture] as const, [sizedKey(storageKey, 'small'), small] as const]
    for (const [key, content] of files) {
      const file = storage.incoming(`${key}.made`)
      await writeFile(file, content, { mode: 0o600 })
      await storage.keep(file, key)
    }
  },

  /** A page of assets, newest first, and the total. */
  list: async (query: List): Promise<{ data: Asset[]; pagination: AssetPagination }> => {
    const { limit, skip, unused } = query
    const until = now()
    const { ids, ...totals } = await pageOf(query)
    return { data: await byIds(ids), pagination: { ...totals, limit, skip, ...(unused && { until }) } }
  },

  find: async (id: string): Promise<Asset | undefined> => (await byIds([id]))[0],

  byIds,

  /** The existing ones of the given assets, by id, as covers show them. */
  refs: async (ids: string[]): Promise<Map<string, { _id: string } & AssetUrls>> => {
    if (ids.length === 0) return new Map()
    const rows = await shownAssets(db, ids)
    return new Map(rows.map((row) => [row._id, { _id: row._id, ...assetUrls(row) }]))
  },

  /** The asset whose file has this key, if it can be served. */
  withFile: (storageKey: string) =>
    db
      .selectFrom('assets')
      .select(['filename', 'mimeType', 'isPublic'])
      .where('storageKey', '=', storageKey)
      .where('status', '=', 'READY')
      .where('deletedAt', 'is', null)
      .executeTakeFirst(),

  /** Whether any asset, in the trash or not, refers to this file. */
  isReferenced: async (storageKey: string): Promise<boolean> =>
    (await db.selectFrom('assets').select('_id').where('storageKey', '=', storageKey).executeTakeFirst()) !== undefined,

  /** Unused assets, oldest first, as many as are moved to the trash at once. */
  unused: async ({ until, search: text, ...filters }: UnusedInput): Promise<string[]> => {
    const among = text
      ? await search.ids('Asset', text, { filters: filtersOf({ ...filters, unused: true }) })
      : undefined
    if (among?.length === 0) return []
    const rows = await db
      .selectFrom('assets')
      .select('_id')
      .where((column) => matching(column, { ...filters, unused: true }))
      .where('createdAt', '<=', until)
      .$if(among !== undefined, (query) => query.where(inList('_id', among ?? [])))
      .orderBy('createdAt')
      .orderBy('_id')
      .limit(BATCH_SIZE)
      .execute()
    return rows.map(({ _id }) => _id)
  },

  /** Those of the given assets that are unused, oldest first. */
  unusedAmong: (tx: Transaction, ids: string[]): Promise<Pick<Row, '_id' | 'size'>[]> =>
    tx
      .selectFrom('assets')
      .select(['_id', 'size'])
      .where((column) => column.and([matching(column, {}), ...usesOf(column).map(column.not)]))
      .where(inList('_id', ids))
      .orderBy('createdAt')
      .orderBy('_id')
      .execute(),

  /** Whether anything uses one of the given assets. */
  areUsed: async (tx: Transaction, ids: string[]): Promise<boolean> => {
    const used = tx
      .selectFrom('assets')
      .select('_id')
      .where(inList('_id', ids))
      .where((column) => column.or(usesOf(column)))
    return (await used.limit(1).executeTakeFirst()) !== undefined
  },

  /** The assets of a deletion batch that are in the trash since: those that were deleted again later are left out. */
  trashedIn: async (from: Reader, batch: string): Promise<string[]> => {
    const rows = await from
      .selectFrom('revisions')
      .innerJoin('assets', 'assets._id', 'revisions.entityId')
      .select('assets._id')
      .where('revisions.batch', '=', batch)
      .where('revisions.action', '=', 'delete')
      .whereRef('revisions.version', '=', 'assets.version')
      .where('assets.deletedAt', '>', lastGone())
      .execute()
    return rows.map(({ _id }) => _id)
  },

  /** The oldest other asset with the same content. */
  twinOf: async (id: string): Promise<string | undefined> => {
    const twin = await db
      .selectFrom('assets as one')
      .innerJoin('assets as twin', 'twin.contentHash', 'one.contentHash')
      .select('twin._id')
      .where('one._id', '=', id)
      .where('twin._id', '!=', id)
      .where('twin.deletedAt', 'is', null)
      .orderBy('twin._id')
      .limit(1)
      .executeTakeFirst()
    return twin?._id
  },

  /** Assets whose files still need processing but have no job for it, oldest first. */
  withoutJob: (): Promise<Pick<Tables['assets'], '_id' | 'createdBy'>[]> =>
    db
      .selectFrom('assets')
      .select(['_id', 'createdBy'])
      .where('status', 'in', ['PENDING', 'PROCESSING'])
      .where((row) =>
        row.not(
          row.exists(
            row
              .selectFrom('jobs')
              .select('jobs._id')
              .whereRef('jobs._id', '=', 'assets._id')
              .where('jobs.state', 'in', UNFINISHED),
          ),
        ),
      )
      .orderBy('_id')
      .execute(),

  queueProcessing,
  untilProcessed,
  storeFindings,

  /** Marks a file that will not be processed any more as failed. */
  failUnprocessed: async (tx: Transaction, id: string, failure: string): Promise<void> => {
    const query = tx.selectFrom('assets').select(['status', 'storageKey']).where('_id', '=', id)
    const asset = await locked(query).executeTakeFirst()
    if (asset && isWaiting(asset)) await storeFindings(tx, id, asset.storageKey, { status: 'ERROR', failure })
  },
}

/**
 * Stores the result of processing a file, unless the asset's file was replaced since; notifies the uploader of a
 * failure.
 */
async function storeFindings(tx: Transaction, id: string, storageKey: string, findings: AssetFindings): Promise<void> {
  const asset = await tx
    .updateTable('assets')
    .set(columns(findings))
    .where('_id', '=', id)
    .where('storageKey', '=', storageKey)
    .returning(['filename', 'createdBy', 'deletedAt'])
    .executeTakeFirst()
  if (asset) await deriveUses(tx, [id])
  const { status, failure = '' } = findings
  if (status !== 'ERROR' || !asset?.createdBy || asset.deletedAt) return
  const data = { assetId: id, filename: asset.filename, failure }
  notifications.notify(tx, [{ to: asset.createdBy, kind: 'ASSET_FAILED', data }])
}

/** Resolves when the file of an asset has been processed or has failed, or after a timeout. */
async function untilProcessed(id: string): Promise<void> {
  const find = () => db.selectFrom('assets').select('status').where('_id', '=', id).executeTakeFirst()
  const states = follow(find, (asset) => !asset || !isWaiting(asset), AbortSignal.timeout(WAIT_MS))
  while (!(await states.next()).done);
}

/** Assets as search results, in the order of the ids. */
async function hitsOf(ids: string[]): Promise<Found[]> {
  return (await byIds(ids)).map(({ _id, filename, type, url, thumbnail }) => ({
    _id,
    translations: {},
    originalTitle: filename,
    cover: type === 'IMAGE' ? { _id, url, thumbnail } : ('' as const),
  }))
}

/** Queues a file for processing from the start, once the transaction commits. */
async function queueProcessing(tx: Transaction, id: string): Promise<void> {
  const asset = await tx
    .updateTable('assets')
    .set(columns({ status: 'PENDING', attempts: 0 }))
    .where('_id', '=', id)
    .returning(['_id', 'createdBy'])
    .executeTakeFirstOrThrow()
  await deriveUses(tx, [id])
  await put(tx, processingJob(asset))
}

/** Each user's files wait in a lane of their own, so that those of one user do not delay those of another for long. */
export const processingJob = ({ _id: id, createdBy }: Pick<Tables['assets'], '_id' | 'createdBy'>) => ({
  id,
  kind: PROCESSING,
  payload: {},
  ...(createdBy && { lane: `files of ${createdBy}` }),
})

const columns = ({ status, dimensions, duration, failure, keepsMetadata, attempts }: AssetFindings) =>
  ({
    status,
    dimensions: dimensions ?? null,
    duration: duration ?? null,
    failure: failure ?? null,
    keepsMetadata: keepsMetadata ?? null,
    ...(attempts !== undefined && { attempts }),
  }) as AssetFindings

/** Assets with their uploader and the first uses, in the order of the ids. */
async function byIds(ids: string[]): Promise<Asset[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('assets')
    .selectAll()
    .where(inList('_id', ids))
    .where('deletedAt', 'is', null)
    .execute()
  const [uploaderOf, useOf] = await Promise.all([
    uploadersOf(rows),
    firstUses(
      'Asset',
      rows.map(({ _id }) => _id),
    ),
  ])
  const shown = rows.map((row) => {
    const use = useOf.get(row._id)
    return {
      ...row,
      ...assetUrls(row),
      uploadedBy: uploaderOf.get(row.createdBy ?? ''),
      relatedTo: use && { model: use.entityType.toUpperCase(), id: use.entityId },
      relatedData: use && { _id: use.entityId, title: use.title },
    }
  })
  return orderByIds(ids, shown)
}

async function uploadersOf(rows: Row[]): Promise<Map<string, { _id: string; username: string; avatar: string }>> {
  const ids = [...new Set(rows.flatMap(({ createdBy }) => createdBy ?? []))]
  return users.people(ids)
}

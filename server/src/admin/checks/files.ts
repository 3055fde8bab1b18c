import { rm } from 'node:fs/promises'
import { db, type Reader, transaction } from '#database/db.ts'
import type { Meta, Tables } from '#database/tables.ts'
import { assets } from '#store/assets'
import { hashOf } from '../../assets/incoming.ts'
import { keysOf, originalKey } from '../../assets/keys.ts'
import { sizeOf } from '../../assets/fileStore.ts'
import { MARK, storage } from '../../assets/storage.ts'
import { isPartOfUpload } from '../../assets/storeFile.ts'
import { createInventory, type Inventory } from '../files.ts'
import { type Check, everyEntity, type Issue, idsOf } from './check.ts'

type Asset = Tables['assets']

/**
 * Checks that all files that assets need exist. Files are listed before the rows are read, so that the owner of every
 * listed file is found.
 */
export const files = (note: (line: string) => void): Check => ({
  name: 'files',
  run: async function* inspect() {
    const inventory = createInventory()
    try {
      for await (const key of storage.keys())
        if (!(key.endsWith('.part') && (await isPartOfUpload(key)))) inventory.addFile(key)
      let isComplete = true
      for await (const issue of everyEntity((tx, _, rows) => addAssets(tx, inventory, rows as Asset[]), ['Asset'])) {
        isComplete = false
        yield issue
      }
      for (const { key, asset } of inventory.missing()) {
        // It may have been stored, or its asset deleted, since the files were listed.
        const row = (await assets.row(asset)) as Asset | undefined
        if (!row || !keysOf(row.storageKey).includes(key) || (await isThere(key))) continue
        const canDraw = key !== originalKey(row.storageKey) && (await isThere(originalKey(row.storageKey)))
        const draw = () => transaction((tx) => assets.queueProcessing(tx, asset))
        yield canDraw
          ? { what: `Asset ${asset}: ${key} is missing; it can be rendered from its original`, repair: draw }
          : { what: `Asset ${asset}: ${key} is missing` }
      }
      // It would list the files of assets that cannot be read.
      if (isComplete) await logOrphans(inventory, note)
    } finally {
      inventory.close()
    }
  },
})

/** Checks that every file kept as uploaded is still the same, to the last byte. */
export const contents: Check = {
  name: 'contents of files',
  run: async function* inspect() {
    let after = ''
    for (;;) {
      const rows = await db
        .selectFrom('assets')
        .selectAll()
        .where('_id', '>', after)
        .orderBy('_id')
        .limit(100)
        .execute()
      for (const row of rows) {
        const wrong = row.status === 'READY' ? await wrongIn(row) : undefined
        if (wrong) yield { what: `Asset ${row._id}: ${wrong}` }
      }
      if (rows.length === 0) return
      after = rows.at(-1)?._id ?? ''
    }
  },
}

async function addAssets(tx: Reader, inventory: Inventory, rows: Asset[]): Promise<Issue[]> {
  const kept = await tx
    .selectFrom('revisions')
    .select(['entityId', 'snapshot'])
    .where('entityId', 'in', idsOf(rows as Meta[]))
    .execute()
  const keysBy = Map.groupBy(kept, ({ entityId }) => entityId)
  for (const row of rows) {
    const keys = (keysBy.get(row._id) ?? []).map(({ snapshot }) => snapshot.storageKey)
    inventory.addAsset(
      row,
      keys.filter((key) => typeof key === 'string'),
    )
  }
  return []
}

/**
 * The uploaded bytes are kept as the original of a picture, or as the file itself if no metadata was removed from it.
 */
async function wrongIn({ storageKey, type, contentHash, keepsMetadata }: Asset): Promise<string | undefined> {
  const original = originalKey(storageKey)
  const isDrawn = type === 'IMAGE' && (await isThere(original))
  const isAsSent = isDrawn || type === 'IMAGE' || keepsMetadata === true
  const key = isDrawn ? original : storageKey
  try {
    const hash = await hashOfKey(key)
    return isAsSent && hash !== contentHash ? `${key} differs from the uploaded file` : undefined
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // The check before this one reports it.
    return code === 'ENOENT' ? undefined : `${key} cannot be read (${message})`
  }
}

async function hashOfKey(key: string): Promise<string> {
  if (storage.pathOf) return hashOf(storage.pathOf(key))
  const copy = storage.incoming(`${key}.checked`)
  try {
    await storage.copyTo(copy, key)
    return await hashOf(copy)
  } finally {
    await rm(copy, { force: true })
  }
}

/** Reports unreferenced files. They take up space, but are not a fault of the catalogue. */
async function logOrphans(inventory: Inventory, note: (line: string) => void): Promise<void> {
  const arriving = new Set((await storage.arriving()).map((name) => name.replace(MARK, '')))
  const removals = await db.selectFrom('removals').select('key').execute()
  const leaving = new Set(removals.flatMap(({ key }) => keysOf(key)))
  const named: string[] = []
  let [count, bytes] = [0, 0]
  for (const { key } of inventory.orphans()) {
    const size = leaving.has(key) || arriving.has(key.replace('original-', '')) ? undefined : await bytesOf(key)
    if (size === undefined) continue
    count += 1
    bytes += size
    if (named.length < 10) named.push(`${key} (${size} bytes)`)
  }
  if (count > 0) note(`${count} unreferenced files, ${bytes} bytes: ${named.join(', ')}`)
}

const isThere = async (key: string): Promise<boolean> => (await bytesOf(key)) !== undefined

async function bytesOf(key: string): Promise<number | undefined> {
  if (storage.pathOf) return sizeOf(storage.pathOf(key)).catch(() => undefined)
  const opened = await storage.open?.(key, { headOnly: true })
  return opened && Number(opened.headers['content-length'] ?? 0)
}

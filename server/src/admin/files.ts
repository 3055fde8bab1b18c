import { DatabaseSync } from 'node:sqlite'
import { keysOf, originalKey, sizedKey } from '../assets/keys.ts'

/** The fields of an asset that determine its files. */
export interface Owner {
  _id: string
  type: string
  status: string
  storageKey: string
}

/** The files that a catalogue refers to, and those that exist, in a temporary database: there may be millions. */
export function createInventory() {
  const tables = new DatabaseSync('')
  tables.exec(`
    CREATE TABLE "named" ("key" TEXT PRIMARY KEY, "asset" TEXT NOT NULL, "isNeeded" INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE "found" ("key" TEXT PRIMARY KEY) WITHOUT ROWID;
    BEGIN`)
  const addNamed = tables.prepare(`INSERT INTO "named" VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET "isNeeded" = max("isNeeded", excluded."isNeeded")`)
  const addFound = tables.prepare('INSERT OR IGNORE INTO "found" VALUES (?)')
  const name = (key: string, asset: string, isNeeded: boolean) => addNamed.run(key, asset, isNeeded ? 1 : 0)
  const rows = (query: string) =>
    tables.prepare(query).iterate() as IterableIterator<{ key: string; asset: string; isNeeded: number }>

  return {
    /** Adds the files that an asset refers to; `before` are the storage keys in its revisions. */
    addAsset: (asset: Owner, before: string[]): void => {
      const needed = neededBy(asset)
      for (const key of keysOf(asset.storageKey)) name(key, asset._id, needed.includes(key))
      for (const key of before.flatMap(keysOf)) name(key, asset._id, false)
    },
    /** Adds a file that exists. */
    addFile: (key: string): void => void addFound.run(key),
    /** The files that are referenced and exist. */
    present: () => rows('SELECT "named".* FROM "named" JOIN "found" USING ("key") ORDER BY "key"'),
    /** The files that assets need and that do not exist. */
    missing: () => rows('SELECT * FROM "named" WHERE "isNeeded" = 1 AND "key" NOT IN (SELECT "key" FROM "found")'),
    /** The files that nothing refers to. */
    orphans: () => rows('SELECT "key" FROM "found" WHERE "key" NOT IN (SELECT "key" FROM "named") ORDER BY "key"'),
    count: (): number => Number(tables.prepare('SELECT count(*) AS "n" FROM "found"').get()?.n),
    close: (): void => tables.close(),
  }
}

export type Inventory = ReturnType<typeof createInventory>

/** A processed picture has a small version; one that is not processed yet needs its original. */
function neededBy({ type, status, storageKey }: Owner): string[] {
  if (status === 'ERROR') return []
  if (type !== 'IMAGE') return [storageKey]
  return status === 'READY' ? [storageKey, sizedKey(storageKey, 'small')] : [originalKey(storageKey)]
}

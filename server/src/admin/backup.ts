import { existsSync, mkdirSync } from 'node:fs'
import { chmod, copyFile, open, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { contentsOf, copyDatabaseTo } from '#database/copy.ts'
import { engine } from '#database/db.ts'
import type { Env } from '../env.ts'
import { createFolder } from '#lib/createFolder.ts'
import { accessDenied } from '#lib/faults.ts'
import { flush } from '#lib/flush.ts'
import { assets } from '#store/assets'
import { hashOf } from '../assets/incoming.ts'
import { storage } from '../assets/storage.ts'
import { about } from '../settings/about.ts'
import { createInventory, type Owner } from './files.ts'
import { startBackup, CHECKSUMS, DATABASE, discardBackup, finishBackup, FILES, SECRET } from './manifest.ts'
import { now } from '#lib/clock.ts'
import { throttled } from './write.ts'

/**
 * Copies the catalogue into an empty folder while the server runs: first a snapshot of the database, then the files
 * that it refers to. That is consistent, as a file never changes under its name, and is deleted only when nothing
 * refers to it.
 */
export async function createBackup(into: string, env: Env, log: (line: string) => void): Promise<string> {
  const folder = resolve(into)
  const unlock = await begin(folder)
  try {
    return await write(folder, env, log)
  } catch (error) {
    await discardBackup(folder)
    throw error
  } finally {
    unlock()
  }
}

/** Creates the folder if there is none, and begins a backup into it. */
async function begin(folder: string): Promise<() => void> {
  try {
    createFolder(folder)
    return await startBackup(folder)
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    // An error of the operating system or of SQLite.
    if (!code || accessDenied(error)) throw error
    throw new Error(`The folder ${folder} cannot be written (${message}). Name another one.`, { cause: error })
  }
}

async function write(folder: string, env: Env, log: (line: string) => void): Promise<string> {
  const progress = throttled(log)
  const createdAt = now()
  const path = join(folder, DATABASE)
  log('Copying the database')
  await copyDatabaseTo(path, (table, rows) => progress(`${rows} rows of ${table}`))
  await chmod(path, 0o600)
  const [contents, hash] = [await contentsOf(path), await hashOf(path)]

  await using list = await open(join(folder, CHECKSUMS), 'w', 0o600)
  const note = (name: string, sha: string) => list.appendFile(`${sha}  ${name}\n`)
  await note(DATABASE, hash)
  const secret = join(env.DATA_DIR, SECRET)
  // A configured secret is the one in use, whatever the folder still holds.
  const hasSecret = env.AUTH_SECRET === undefined && existsSync(secret)
  if (hasSecret) {
    await copyFile(secret, join(folder, SECRET))
    await note(SECRET, await hashOf(join(folder, SECRET)))
  }
  const files = await copyFiles(folder, note, progress)
  await list.sync()
  await finishBackup(folder, {
    format: 1,
    product: (await about()).version,
    createdAt,
    engine,
    ...contents,
    database: { bytes: (await stat(path)).size, sha256: hash },
    files: { ...files, sha256: await hashOf(join(folder, CHECKSUMS)) },
    hasSecret,
  })
  return summary(folder, files)
}

interface Copied {
  count: number
  bytes: number
  missing: string[]
}

/** Copies the files that the copied database refers to. */
async function copyFiles(
  folder: string,
  note: (name: string, sha: string) => Promise<void>,
  progress: (line: string) => void,
): Promise<Copied> {
  const copied: Copied = { count: 0, bytes: 0, missing: [] }
  const inventory = createInventory()
  try {
    for (const { asset, before } of ownersIn(join(folder, DATABASE))) inventory.addAsset(asset, before)
    for await (const key of storage.keys()) inventory.addFile(key)
    mkdirSync(join(folder, FILES), { mode: 0o700 })
    const lost = async (key: string, asset: string, isNeeded: boolean) => {
      // Permanently deleted meanwhile, so not lost: a restored catalogue deletes it again.
      if (isNeeded && (await assets.row(asset))) copied.missing.push(key)
    }
    for (const { key, asset, isNeeded } of inventory.present()) {
      const to = join(folder, FILES, key)
      try {
        await storage.copyTo(to, key)
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ENOENT') throw error
        await lost(key, asset, isNeeded === 1)
        continue
      }
      flush(to)
      await note(`${FILES}/${key}`, await hashOf(to))
      copied.count += 1
      copied.bytes += (await stat(to)).size
      progress(`${copied.count} files`)
    }
    for (const { key, asset } of inventory.missing()) await lost(key, asset, true)
    return copied
  } finally {
    inventory.close()
  }
}

/** The assets of a copied database, each with the storage keys in its revisions. */
function* ownersIn(path: string): Generator<{ asset: Owner; before: string[] }> {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    const keys = file.prepare(`SELECT DISTINCT json_extract("snapshot", '$.storageKey') AS "key" FROM "revisions"
      WHERE "entityId" = ? AND "entityType" = 'Asset'`)
    for (const row of file.prepare('SELECT "_id", "type", "status", "storageKey" FROM "assets"').iterate()) {
      const asset = row as unknown as Owner
      const before = keys.all(asset._id).flatMap(({ key }) => (typeof key === 'string' ? [key] : []))
      yield { asset, before }
    }
  } finally {
    file.close()
  }
}

function summary(folder: string, { count, bytes, missing }: Copied): string {
  const done = `Backed up to ${folder}: the database and ${count} files (${bytes} bytes)`
  if (missing.length === 0) return done
  return `${done}\nMissing files that the catalogue refers to: ${missing.join(', ')}`
}

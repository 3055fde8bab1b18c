import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { chmod, copyFile, rename } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { copyDatabaseFrom, forgetBackup, isFilledFrom, refuseUsed } from '#database/copy.ts'
import { countersOf } from '#ledger/counters.ts'
import { closeDatabase, db, openDatabase, transaction } from '#database/db.ts'
import { bucketIn, type Env } from '../env.ts'
import { flush } from '#lib/flush.ts'
import { LOCK, OF_FILE_SYSTEM, unlockDataFolder, lockDataFolder, UNFINISHED } from '#database/folder.ts'
import { endAllAccess } from '#access/session.ts'
import { SENDING } from '#mail/outgoing.ts'
import { audit } from '#store/audit'
import { rebuildFindings } from '../findings/rebuild.ts'
import { VERSION } from '../search/progress.ts'
import { rebuildSearch } from '../search/rebuild.ts'
import { openStorage, storage } from '../assets/storage.ts'
import '../kinds.ts'
import { validateBackup, DATABASE, FILES, filesIn, type Manifest, SECRET } from './manifest.ts'
import { operatorRan } from './record.ts'
import { throttled, writeDurably } from './write.ts'

type Log = (line: string) => void

/**
 * Restores a backup into an empty data folder, and into the empty database at DATABASE_URL if that is set. The whole
 * backup is verified before anything is changed. If it is interrupted, a marker file remains, with which only another
 * restore will start.
 */
export async function restore(from: string, env: Env, log: Log): Promise<string> {
  log('Checking the backup')
  const manifest = await validateBackup(from)
  const isAgain = existsSync(join(env.DATA_DIR, UNFINISHED))
  const isThere = (name: string) => name !== LOCK && name !== OF_FILE_SYSTEM
  if (!isAgain && existsSync(env.DATA_DIR) && readdirSync(env.DATA_DIR).some(isThere))
    throw new Error(`${env.DATA_DIR} is not empty.`)
  lockDataFolder(env.DATA_DIR)
  try {
    const isDone = env.DATABASE_URL ? await isRestored(env, manifest, isAgain) : false
    await put(resolve(from), env, manifest, isDone, log)
    await open(resolve(from), env, log)
    const bucket = bucketIn(env)
    const places = [
      env.DATA_DIR,
      ...(env.DATABASE_URL ? ['the database'] : []),
      ...(bucket ? [`the bucket ${bucket.name}`] : []),
    ]
    return [`Restored into ${listed(places)}`, ...advice(manifest)].join('\n')
  } finally {
    unlockDataFolder()
  }
}

/**
 * Whether an interrupted restore of this backup had already filled the database at DATABASE_URL. If not, throws unless it
 * is empty.
 */
async function isRestored({ DATABASE_URL, DATA_DIR }: Env, manifest: Manifest, isAgain: boolean): Promise<boolean> {
  await openDatabase({ url: DATABASE_URL, folder: DATA_DIR, upgrade: false })
  try {
    if (isAgain && (await isFilledFrom(manifest.files.sha256))) return true
    await refuseUsed(manifest.migrations)
    return false
  } finally {
    await closeDatabase()
  }
}

/** Restores the files, and then the database, completely or not at all. */
async function put(from: string, env: Env, { hasSecret, files }: Manifest, isDone: boolean, log: Log): Promise<void> {
  const folder = env.DATA_DIR
  let mayBeFilled = isDone
  clear(folder)
  await writeDurably(join(folder, UNFINISHED), 'This folder is being restored.\n')
  try {
    await putFiles(from, env, log)
    if (hasSecret) await place(join(from, SECRET), join(folder, SECRET))
    log('Restoring the database')
    if (!env.DATABASE_URL) await place(join(from, DATABASE), join(folder, DATABASE))
    else if (!isDone) {
      // From now on, the rows may have been committed even if this fails.
      mayBeFilled = true
      await putRows(from, files.sha256, env, log)
    }
  } catch (error) {
    clear(folder)
    if (!mayBeFilled) rmSync(join(folder, UNFINISHED))
    throw error
  }
}

/** A file that already exists in the bucket is the same. */
async function putFiles(from: string, env: Env, log: Log): Promise<void> {
  const progress = throttled(log)
  await openStorage(join(env.DATA_DIR, FILES), bucketIn(env))
  let count = 0
  for await (const key of filesIn(from)) {
    const file = storage.incoming(`${key}.restored`)
    await copyFile(join(from, FILES, key), file)
    await storage.keep(file, key)
    progress(`${(count += 1)} files`)
  }
}

async function putRows(from: string, backup: string, { DATABASE_URL, DATA_DIR }: Env, log: Log): Promise<void> {
  const progress = throttled(log)
  await openDatabase({ url: DATABASE_URL, folder: DATA_DIR, upgrade: false })
  try {
    await copyDatabaseFrom(join(from, DATABASE), backup, (table, rows) => progress(`${rows} rows of ${table}`))
  } finally {
    await closeDatabase()
  }
}

/**
 * Opens what was restored as a start would, ends all access that was valid when it was backed up, removes what belongs
 * to that time, records the restore, and deletes the marker file. Then it builds the search index if the backup is from
 * the other engine, and that and the findings if they are of an older version, so that `verify` finds no fault.
 */
async function open(from: string, { DATABASE_URL, DATA_DIR }: Env, log: Log): Promise<void> {
  const progress = throttled(log)
  await openDatabase({ url: DATABASE_URL, folder: DATA_DIR, log })
  try {
    await transaction(async (tx) => {
      await endAllAccess(tx)
      // The links in these emails are no longer valid.
      await tx.deleteFrom('jobs').where('kind', '=', SENDING).execute()
      // The servers that were running during the backup do not use this database.
      await tx.deleteFrom('instances').execute()
      audit.record(tx, operatorRan('restore', from))
    })
    rmSync(join(DATA_DIR, UNFINISHED))
    flush(DATA_DIR)
    await forgetBackup()
    const { searchVersion = VERSION } = await countersOf(db, ['searchVersion'])
    if (searchVersion !== VERSION) {
      log('Building the search index')
      await rebuildSearch((done, total) => progress(`${done} of ${total}`))
    }
    await rebuildFindings(new AbortController().signal)
  } finally {
    await closeDatabase()
  }
}

async function place(from: string, to: string): Promise<void> {
  await copyFile(from, `${to}.partial`)
  await chmod(`${to}.partial`, 0o600)
  flush(`${to}.partial`)
  await rename(`${to}.partial`, to)
}

/** Deletes what an interrupted restore has written, except its marker file. */
function clear(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder))
    if (/^(catalogue\.|secret$|secret\.partial$|files$)/.test(name)) rmSync(join(folder, name), { recursive: true })
}

function advice({ files: { missing }, hasSecret }: Manifest): string[] {
  return [
    ...(missing.length > 0 ? [`These files were already missing when the backup was made: ${missing.join(', ')}`] : []),
    ...(hasSecret
      ? []
      : [
          'The backup contains no secret. Set AUTH_SECRET to its previous value: it encrypts the keys in the settings.',
        ]),
  ]
}

const listed = (names: string[]): string => names.join(' and ')

import { createReadStream, readdirSync, readFileSync, rmSync, type Stats, statSync } from 'node:fs'
import { access, constants, readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { lockFile } from '#database/folder.ts'
import { refuseNewer } from '#database/migrate.ts'
import { accessDenied } from '#lib/faults.ts'
import { hashOf } from '../assets/incoming.ts'
import { writeDurably } from './write.ts'

export const DATABASE = 'catalogue.sqlite'
export const FILES = 'files'
export const SECRET = 'secret'
/** The hash of every file of a backup, in the format of `sha256sum --check`. */
export const CHECKSUMS = 'checksums.txt'
const MANIFEST = 'manifest.json'
/** Exists in a backup while it is being made; it becomes the manifest at the end. */
const PARTIAL_MANIFEST = 'manifest.partial.json'
/** Locked while a backup is being made; SQLite keeps a journal beside it. */
const LOCK = 'backup.lock'
/** The names allowed in a list of checksums: none that leads out of the folder. */
const NAMES = /^(catalogue\.sqlite|secret|files\/\w[\w.-]*)$/
/** The maximum number of damaged files that are named. */
const MAX_NAMED = 10

/** The description of a backup. */
const Manifest = z.object({
  /** Raised when older versions can no longer read it. */
  format: z.literal(1),
  product: z.string(),
  createdAt: z.string(),
  /** The engine that it was made from; the database in the backup is always an SQLite file. */
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  /** The number of rows of each table. */
  tables: z.record(z.string(), z.number()),
  database: z.object({ bytes: z.number(), sha256: z.string() }),
  /** `missing` are files that the database refers to and that no longer existed. */
  files: z.object({ count: z.number(), bytes: z.number(), sha256: z.string(), missing: z.array(z.string()) }),
  hasSecret: z.boolean(),
})
export type Manifest = z.output<typeof Manifest>

/**
 * Starts a backup in an empty folder, or in one with an interrupted backup, and locks the folder. Returns a function
 * that unlocks it. Throws an Error with a one-line message if another process is writing a backup there.
 */
export async function startBackup(folder: string): Promise<() => void> {
  await access(folder, constants.R_OK | constants.W_OK)
  const path = join(folder, LOCK)
  const lock = lockFile(path, `Another backup is being written into ${folder}. Name another folder.`)
  const unlock = () => {
    lock.close()
    rmSync(path, { force: true })
  }
  try {
    const names = (await readdir(folder)).filter((name) => !name.startsWith(LOCK))
    if (isIncomplete(names)) await discardBackup(folder)
    else if (names.length > 0) throw new Error(`${folder} is not empty.`)
    await writeDurably(join(folder, PARTIAL_MANIFEST), '{}\n')
    return unlock
  } catch (error) {
    unlock()
    throw error
  }
}

/** Completes a backup: only from now on is it valid. */
export async function finishBackup(folder: string, manifest: Manifest): Promise<void> {
  await writeDurably(join(folder, PARTIAL_MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`)
  await rename(join(folder, PARTIAL_MANIFEST), join(folder, MANIFEST))
}

/** Deletes what an interrupted backup has written. */
export async function discardBackup(folder: string): Promise<void> {
  const database = ['', '-journal', '-wal', '-shm'].map((end) => DATABASE + end)
  for (const name of [...database, FILES, SECRET, CHECKSUMS, PARTIAL_MANIFEST])
    await rm(join(folder, name), { recursive: true, force: true })
}

/**
 * Verifies a backup completely. Throws an Error with a one-line message if it is damaged or incomplete, or of a newer
 * version.
 */
export async function validateBackup(folder: string): Promise<Manifest> {
  const manifest = readManifest(resolve(folder))
  refuseNewer(manifest.migrations)
  const list = join(folder, CHECKSUMS)
  if (!found(list)?.isFile() || (await hashOf(list)) !== manifest.files.sha256) damaged(folder, [CHECKSUMS])
  const wrong: string[] = []
  const listed = new Set<string>()
  for await (const { name, hash } of checksumsIn(folder)) {
    const path = join(folder, name)
    if (!name.startsWith(`${FILES}/`)) listed.add(name)
    if (!NAMES.test(name)) wrong.push(`${name} is not a valid file name in a backup`)
    else if (!found(path)) wrong.push(`${name} is missing`)
    else if (!found(path)?.isFile()) wrong.push(`${name} is not a file`)
    else if (name === DATABASE && (await stat(path)).size !== manifest.database.bytes)
      wrong.push(`${name} has ${(await stat(path)).size} of ${manifest.database.bytes} bytes`)
    else if ((await hashOf(path)) !== hash) wrong.push(name)
  }
  if (!listed.has(DATABASE)) wrong.push(`${DATABASE} is not listed in ${CHECKSUMS}`)
  if (listed.has(SECRET) !== manifest.hasSecret) wrong.push(`${SECRET} does not match ${MANIFEST}`)
  if (wrong.length > 0) damaged(folder, wrong)
  return manifest
}

/** The storage keys of the files in a backup. */
export async function* filesIn(folder: string): AsyncGenerator<string> {
  for await (const { name } of checksumsIn(folder)) if (name.startsWith(`${FILES}/`)) yield name.slice(FILES.length + 1)
}

async function* checksumsIn(folder: string): AsyncGenerator<{ hash: string; name: string }> {
  for await (const line of createInterface({ input: createReadStream(join(folder, CHECKSUMS)) })) {
    const [hash = '', name = ''] = line.split('  ')
    yield { hash, name }
  }
}

function readManifest(folder: string): Manifest {
  const names = found(folder)?.isDirectory() ? readdirSync(folder) : []
  if (isIncomplete(names)) throw new Error(`The backup in ${folder} is incomplete. Use another one.`)
  if (!names.includes(MANIFEST)) throw new Error(`${folder} is not a backup: ${MANIFEST} is missing.`)
  try {
    const path = join(folder, MANIFEST)
    // Reading from a pipe would not end.
    if (!found(path)?.isFile()) throw new Error(`${MANIFEST} is not a file`)
    return Manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (error) {
    if (accessDenied(error)) throw error
    throw new Error(`The ${MANIFEST} in ${folder} cannot be read. Use another backup, or the version that made it.`, {
      cause: error,
    })
  }
}

/** Unlike `existsSync`, throws if this account may not look. */
const found = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

const isIncomplete = (names: string[]): boolean => names.includes(PARTIAL_MANIFEST) && !names.includes(MANIFEST)

function damaged(folder: string, wrong: string[]): never {
  const named = wrong.slice(0, MAX_NAMED).join(', ')
  const more = wrong.length > MAX_NAMED ? ` and ${wrong.length - MAX_NAMED} more` : ''
  throw new Error(`The backup in ${resolve(folder)} is damaged: ${named}${more}. Nothing was restored.`)
}

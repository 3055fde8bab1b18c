import { createReadStream, readdirSync, readFileSync, type Stats, statSync } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'
import { refuseNewer } from '#database/migrate.ts'
import { hashOf } from '../assets/incoming.ts'
import { writeDurably } from './write.ts'

export const DATABASE = 'catalogue.sqlite'
export const FILES = 'files'
export const SECRET = 'secret'
/** What every file of a backup hashes to, as `sha256sum --check` reads it. */
export const CHECKSUMS = 'checksums.txt'
const MANIFEST = 'manifest.json'
/** Lies in a backup for as long as it is being made: it becomes the manifest at the end. */
const PARTIAL_MANIFEST = 'manifest.partial.json'
/** What a list of checksums may name: nothing that leads out of the folder. */
const NAMES = /^(catalogue\.sqlite|secret|files\/\w[\w.-]*)$/
/** So many of the files that are wrong are named. */
const NAMED = 10

/** What a backup says of itself. */
const Manifest = z.object({
  /** Raised when an older version could not read it any more. */
  format: z.literal(1),
  product: z.string(),
  createdAt: z.string(),
  /** The engine it is from; the database in it is one file of the embedded engine in any case. */
  engine: z.enum(['sqlite', 'postgres']),
  migrations: z.array(z.string()),
  /** How many rows each table has. */
  tables: z.record(z.string(), z.number()),
  database: z.object({ bytes: z.number(), sha256: z.string() }),
  /** `missing` are files that the database names and that were not there any more. */
  files: z.object({ count: z.number(), bytes: z.number(), sha256: z.string(), missing: z.array(z.string()) }),
  hasSecret: z.boolean(),
})
export type Manifest = z.output<typeof Manifest>

/** Begins a backup in an empty folder, or in one that holds a backup that was broken off. */
export async function startBackup(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (isIncomplete(names)) await discardBackup(folder)
  else if (names.length > 0) throw new Error(`${folder} is not empty.`)
  await writeDurably(join(folder, PARTIAL_MANIFEST), '{}\n')
}

/** Ends a backup: from here on it is one. */
export async function finishBackup(folder: string, manifest: Manifest): Promise<void> {
  await writeDurably(join(folder, PARTIAL_MANIFEST), `${JSON.stringify(manifest, undefined, 2)}\n`)
  await rename(join(folder, PARTIAL_MANIFEST), join(folder, MANIFEST))
}

/** Takes away what a backup that was broken off has written. */
export async function discardBackup(folder: string): Promise<void> {
  for (const name of [DATABASE, `${DATABASE}-journal`, FILES, SECRET, CHECKSUMS, PARTIAL_MANIFEST])
    await rm(join(folder, name), { recursive: true, force: true })
}

/** Reads a backup from one end to the other. Throws an Error of one line when it is not whole, or of a newer version. */
export async function validateBackup(folder: string): Promise<Manifest> {
  const manifest = readManifest(resolve(folder))
  refuseNewer(manifest.migrations)
  const list = join(folder, CHECKSUMS)
  if (!found(list) || (await hashOf(list)) !== manifest.files.sha256) damaged(folder, [CHECKSUMS])
  const wrong: string[] = []
  const listed = new Set<string>()
  for await (const { name, hash } of checksumsIn(folder)) {
    const path = join(folder, name)
    if (!name.startsWith(`${FILES}/`)) listed.add(name)
    if (!NAMES.test(name)) wrong.push(`${name} is no name of a file in a backup`)
    else if (!found(path)) wrong.push(`${name} is missing`)
    else if (name === DATABASE && (await stat(path)).size !== manifest.database.bytes)
      wrong.push(`${name} has ${(await stat(path)).size} of ${manifest.database.bytes} bytes`)
    else if ((await hashOf(path)) !== hash) wrong.push(name)
  }
  if (!listed.has(DATABASE)) wrong.push(`${DATABASE} is not listed in ${CHECKSUMS}`)
  if (listed.has(SECRET) !== manifest.hasSecret) wrong.push(`${SECRET} is not as ${MANIFEST} says`)
  if (wrong.length > 0) damaged(folder, wrong)
  return manifest
}

/** The keys of the files in a backup. */
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
  if (!names.includes(MANIFEST)) throw new Error(`${folder} holds no backup: it has no ${MANIFEST}.`)
  const text = readFileSync(join(folder, MANIFEST), 'utf8')
  try {
    return Manifest.parse(JSON.parse(text))
  } catch {
    throw new Error(`The ${MANIFEST} in ${folder} cannot be read. Use another backup, or the version that made it.`)
  }
}

/** Unlike `existsSync`, throws where this account may not look. */
const found = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })

const isIncomplete = (names: string[]): boolean => names.includes(PARTIAL_MANIFEST) && !names.includes(MANIFEST)

function damaged(folder: string, wrong: string[]): never {
  const named = wrong.slice(0, NAMED).join(', ')
  const more = wrong.length > NAMED ? ` and ${wrong.length - NAMED} more` : ''
  throw new Error(`The backup in ${resolve(folder)} is not as it was written: ${named}${more}. Nothing was restored.`)
}

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { closeDatabase, openDatabase, transaction } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { assets } from '#store/assets'
import { audit } from '#store/audit'
import { restore } from '../src/admin/restore.ts'
import { openStorage } from '../src/assets/storage.ts'
import { readEnv } from '../src/env.ts'
import { ensureFirstAdmin } from '../src/users/bootstrap.ts'
import { COUNTERS } from './counters.ts'
import { aCharacter, aMedia, aRating, aTag } from './factories.ts'
import type { Place } from './instances.ts'
import { COMPILE_CACHE } from './process.ts'

/** The program of the operator's commands. */
export const ADMIN = join(import.meta.dirname, '../dist/admin.js')
const run = promisify(execFile)

export interface Said {
  code: number
  output: string
  errors: string
}

/**
 * Runs an operator's command in its own process (under another account if the tests run as root) and returns its
 * output.
 */
export async function operator({ env }: Pick<Place, 'env'>, words: string[], more = {}, uid?: number): Promise<Said> {
  const { PATH, HOME, TMPDIR } = process.env
  const own = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE: COMPILE_CACHE, ...env, ...more }
  try {
    const { stdout, stderr } = await run(process.execPath, [ADMIN, ...words], { env: own, uid })
    return { code: 0, output: stdout.trim(), errors: stderr.trim() }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, output: stdout.trim(), errors: stderr.trim() }
  }
}

/** Restores a backup like the command, but in this process, which takes a fraction of the time. */
export async function restoreInto({ env }: Pick<Place, 'env'>, backup: string, more = {}): Promise<Said> {
  const lines: string[] = []
  const said = (code: number, errors: string) => ({ code, output: lines.join('\n'), errors })
  try {
    lines.push(await restore(backup, readEnv({ ...env, ...more }), (line) => lines.push(line)))
    return said(0, '')
  } catch (error) {
    return said(1, (error as Error).message)
  }
}

/** Opens the database of a place temporarily. */
export async function inside<T>({ url, folder }: Pick<Place, 'url' | 'folder'>, work: () => Promise<T>): Promise<T> {
  await openDatabase({ url, folder })
  try {
    return await work()
  } finally {
    await closeDatabase()
  }
}

/** Fills a catalogue with a bit of everything: texts in two scripts, relations, ratings, an image with its files. */
export const fillCatalogue = (
  place: Place,
): Promise<{ media: string; character: string; tag: string; asset: string }> =>
  inside(place, async () => {
    await ensureFirstAdmin('admin@example.org', 'correct horse battery')
    await openStorage(join(place.folder, 'files'))
    const tag = await aTag({ translations: { en: { name: 'Slow life', description: '' } } })
    const asset = await aPicture('0197f0e0-0000-7000-8000-00000000000a')
    const character = await aCharacter({ tags: [tag], cover: asset })
    const translations = {
      en: { title: 'The Café', description: 'With "quotes",\nand lines.' },
      ja: { title: '銀河の喫茶店', description: '😀' },
    }
    const media = await aMedia({ translations, tags: [tag], characters: [character], cover: asset, duration: 0.1 })
    await aRating(media._id, 8.5, 'Good')
    await aRating(media._id, 3)
    const details = { command: 'search', account: 'Zoë “the operator”' }
    await audit.recordNow({ action: 'operator.ran', actor: SYSTEM, details })
    return { media: media._id, character, tag, asset }
  })

async function aPicture(id: string): Promise<string> {
  const picture = Buffer.from('the picture')
  const storageKey = `${id}.webp`
  await assets.keepPicture(storageKey, picture, Buffer.from('small'))
  const contentHash = createHash('sha256').update(picture).digest('hex')
  const fields = { type: 'IMAGE' as const, filename: 'a.webp', mimeType: 'image/webp', size: picture.length }
  await transaction((tx) =>
    assets.createIn(
      tx,
      id,
      { ...fields, isPublic: true, contentHash, storageKey },
      { actor: SYSTEM },
      { status: 'READY' },
    ),
  )
  return id
}

/** All rows of all tables, except those about the rebuild of the search index and about the restore itself. */
export async function everyRow(place: Place): Promise<Record<string, string[]>> {
  const tables = place.url
    ? 'SELECT tablename AS "name" FROM pg_tables WHERE schemaname = current_schema()'
    : `SELECT "name" FROM pragma_table_list WHERE "type" = 'table' AND "schema" = 'main' AND "name" NOT LIKE 'sqlite%'`
  // Only the value of a counter matters, not how it is split into rows.
  const names = (await place.sql(tables)).map(({ name }) => String(name)).filter((name) => name !== 'counterShards')
  const columns = (name: string) => (name === 'labels' ? '"kind", "entityId", "language", "text", "compact"' : '*')
  const read = (name: string) =>
    name === 'counters' ? `${COUNTERS} HAVING sum("value") <> 0` : `SELECT ${columns(name)} FROM "${name}"`
  const rows = await place.each(names.map(read))
  const kept = rows.map((all) => all.filter((row) => !String(row.name).startsWith('search') && !isOfRestore(row)))
  const texts = kept.map((all) => all.map(textOf).toSorted())
  return Object.fromEntries(names.map((name, at) => [name, texts[at] ?? []]))
}

/** The entry of the restore, and the head of the audit log, which it moved. */
const isOfRestore = (row: object): boolean =>
  'hash' in row &&
  (!('action' in row) || String((row as { details?: unknown }).details).includes('"command":"restore"'))

const textOf = (row: object): string =>
  JSON.stringify(Object.entries(row).toSorted(([one], [two]) => (one < two ? -1 : 1)))

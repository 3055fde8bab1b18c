import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everyRow, fillCatalogue, inside, operator, restoreInto } from '#test/operator.ts'
import { placesOfFile } from '#test/instances.ts'
import { SYSTEM } from '#access/permissions.ts'
import { transaction } from '#database/db.ts'
import { audit } from '#store/audit'
import { search } from '#store/search'
import { readEnv } from '../env.ts'
import { rebuildFindings } from '../findings/rebuild.ts'
import { createBackup } from './backup.ts'
import { discardBackup, startBackup } from './manifest.ts'

const ENGINES = process.env.ENGINE === 'postgres' ? ['postgres', 'sqlite'] : ['sqlite']
const somewhere = placesOfFile()

async function aCatalogue(engine?: string) {
  const place = await somewhere(engine)
  const filled = await fillCatalogue(place)
  // As a server does after its start.
  await inside(place, () => rebuildFindings(new AbortController().signal))
  return { ...place, ...filled, backup: join(dirname(place.folder), 'backup') }
}

let made: Promise<string> | undefined

/** A backup of a small catalogue: each call copies the same one. */
async function aBackup(): Promise<string> {
  made ??= aCatalogue().then(async (place) => {
    expect(await operator(place, ['backup', place.backup])).toMatchObject({ code: 0 })
    return place.backup
  })
  const copy = join(dirname((await somewhere('sqlite')).folder), 'copy')
  cpSync(await made, copy, { recursive: true })
  return copy
}

describe('a backup', () => {
  test('of either engine can be restored into either, with every row and file', async () => {
    for (const from of ENGINES) {
      const catalogue = await aCatalogue(from)
      const { code, output } = await operator(catalogue, ['backup', catalogue.backup])
      expect([code, output.split('\n').at(-1)]).toEqual([
        0,
        `Backed up to ${catalogue.backup}: the database and 2 files (16 bytes)`,
      ])
      const before = await everyRow(catalogue)
      for (const to of ENGINES) {
        // This one is tested on SQLite.
        if (process.env.ENGINE === 'postgres' && from === 'sqlite' && to === 'sqlite') continue
        const place = await somewhere(to)
        expect(await operator(place, ['restore', catalogue.backup])).toMatchObject({ code: 0, errors: '' })
        const after = await everyRow(place)
        expect(Object.keys(after).toSorted()).toEqual(Object.keys(before).toSorted())
        for (const [table, rows] of Object.entries(before)) expect([table, after[table]]).toEqual([table, rows])
        const files = readdirSync(join(catalogue.folder, 'files')).filter((name) => name !== 'incoming')
        for (const name of files)
          expect(readFileSync(join(place.folder, 'files', name))).toEqual(
            readFileSync(join(catalogue.folder, 'files', name)),
          )
        expect((await operator(place, ['verify', '--files'])).output).toMatch(/^No problems found$/m)
        const found = await inside(place, () => search.find('Media', '喫茶', 5))
        expect(found.matches.map(({ entityId }) => entityId)).toEqual([catalogue.media])
      }
    }
  })

  test.skipIf(process.platform !== 'linux')('fails if its list of files cannot be written', async () => {
    const place = await aCatalogue()
    const { folder, url, backup } = place
    const full = () => {
      if (!existsSync(join(backup, 'checksums.txt'))) symlinkSync('/dev/full', join(backup, 'checksums.txt'))
    }
    const env = readEnv({ DATA_DIR: folder, DATABASE_URL: url })
    const failed = inside(place, () => createBackup(backup, env, full))
    await expect(failed).rejects.toMatchObject({ code: 'ENOSPC' })
    expect(readdirSync(backup)).toEqual([])
  })

  test('says which folder cannot be written', async () => {
    const place = await aCatalogue()
    const file = `${place.backup}.txt`
    writeFileSync(file, '')
    // Other accounts than root may not write there, and are told so.
    const inProc = process.platform === 'linux' && process.getuid?.() === 0 ? ['/proc/backup', '/proc'] : []
    for (const folder of [join(file, 'backup'), ...inProc])
      expect(await operator(place, ['backup', folder])).toMatchObject({
        code: 1,
        errors: expect.stringMatching(`^The folder ${folder} cannot be written \\(.+\\). Name another one.$`) as string,
      })
  })

  test('of a truncated audit log keeps the start of the log', async () => {
    for (const [from, to] of ENGINES.map((engine, at) => [engine, ENGINES.at(at - 1)])) {
      const catalogue = await aCatalogue(from)
      await inside(catalogue, async () => {
        await transaction(async (tx) => {
          const deleted = await audit.truncateBefore(tx, new Date(Date.now() + 1000).toISOString())
          expect(deleted?.count).toBeGreaterThan(0)
          audit.record(tx, { action: 'audit.deleted', actor: SYSTEM, details: { ...deleted } })
        })
        await transaction(audit.deleteTruncated)
      })
      expect(await operator(catalogue, ['backup', catalogue.backup])).toMatchObject({ code: 0 })
      const place = await somewhere(to)
      expect(await operator(place, ['restore', catalogue.backup])).toMatchObject({ code: 0, errors: '' })
      const { output } = await operator(place, ['verify'])
      expect(output).toMatch(/^audit log: OK/m)
      expect(output).toMatch(/^No problems found$/m)
    }
  })

  test('has a manifest, and needs an empty folder', async () => {
    const place = await aCatalogue()
    const { backup } = place
    await operator(place, ['backup', backup])
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8')) as Record<string, unknown>
    expect(manifest).toMatchObject({
      format: 1,
      product: '0.1.0',
      engine: process.env.ENGINE,
      tables: { media: 1, ratings: 2, tags: 1, characters: 1, assets: 1 },
      database: { bytes: statSync(join(backup, 'catalogue.sqlite')).size },
      files: { count: 2, bytes: 16, missing: [] },
    })
    for (const name of readdirSync(backup)) expect([name, statSync(join(backup, name)).mode & 0o077]).toEqual([name, 0])
    expect(await operator(place, ['backup', backup])).toMatchObject({
      code: 1,
      errors: `${backup} is not empty.`,
    })
  })

  test('is written by one process at a time, and the other one is refused', async () => {
    const place = await aCatalogue()
    const { backup } = place
    mkdirSync(backup)
    const unlock = await startBackup(backup)
    expect(await operator(place, ['backup', backup])).toMatchObject({
      code: 1,
      errors: `Another backup is being written into ${backup}. Name another folder.`,
    })
    expect(existsSync(join(backup, 'manifest.partial.json'))).toBe(true)
    unlock()
    expect(await operator(place, ['backup', backup])).toMatchObject({ code: 0 })
    expect(readdirSync(backup)).not.toContainEqual(expect.stringContaining('lock'))
  })

  test('that fails leaves an empty folder, for the next one', async () => {
    const backup = join(dirname((await somewhere('sqlite')).folder), 'backup')
    mkdirSync(backup)
    const unlock = await startBackup(backup)
    // SQLite leaves the last two if the disk is full.
    for (const name of ['catalogue.sqlite', 'checksums.txt', 'catalogue.sqlite-wal', 'catalogue.sqlite-shm'])
      writeFileSync(join(backup, name), '')
    await discardBackup(backup)
    unlock()
    expect(readdirSync(backup)).toEqual([])
  })

  test('contains the generated secret only if it is in use', async () => {
    const place = await aCatalogue()
    writeFileSync(join(place.folder, 'secret'), 'x'.repeat(43))
    expect(await operator(place, ['backup', place.backup])).toMatchObject({ code: 0 })
    expect(readdirSync(place.backup)).toContain('secret')
    const other = `${place.backup}-other`
    expect(await operator(place, ['backup', other], { AUTH_SECRET: 'y'.repeat(43) })).toMatchObject({ code: 0 })
    expect(readdirSync(other)).not.toContain('secret')
    const { output } = await restoreInto(await somewhere(), other)
    expect(output).toContain('Set AUTH_SECRET to its previous value')
  })

  test('contains only files that the catalogue refers to, and reports missing ones', async () => {
    const place = await aCatalogue()
    const files = join(place.folder, 'files')
    writeFileSync(join(files, 'nobody.webp'), 'left over')
    rmSync(join(files, `small-${place.asset}.webp`))
    const { code, output } = await operator(place, ['backup', place.backup])
    expect([code, output.split('\n').at(-1)]).toEqual([
      0,
      `Missing files that the catalogue refers to: small-${place.asset}.webp`,
    ])
    expect(readdirSync(join(place.backup, 'files'))).toEqual([`${place.asset}.webp`])
    const restored = await restoreInto(await somewhere(), place.backup)
    expect(restored.output).toContain(
      `These files were already missing when the backup was made: small-${place.asset}.webp`,
    )
  })

  test('works for a database that needs an upgrade, without upgrading it', async () => {
    const place = await aCatalogue()
    await place.sql(`DELETE FROM "migrations" WHERE "name" = '005-trash.sql'`)
    expect(await operator(place, ['backup', place.backup])).toMatchObject({ code: 0 })
    expect(await place.sql(`SELECT "name" FROM "migrations" WHERE "name" = '005-trash.sql'`)).toEqual([])
  })

  test('whose findings and search text are of an older version has no fault once it is restored', async () => {
    const catalogue = await aCatalogue()
    await catalogue.sql(
      `UPDATE "findingsProgress" SET "rules" = 'older'`,
      'DELETE FROM "titleKeys"',
      `DELETE FROM "counters" WHERE "name" = 'searchVersion'`,
      `INSERT INTO "counters" ("name", "value") VALUES ('searchVersion', 1)`,
      `UPDATE "labels" SET "text" = 'older'`,
    )
    expect(await operator(catalogue, ['backup', catalogue.backup])).toMatchObject({ code: 0 })
    const place = await somewhere()
    expect(await operator(place, ['restore', catalogue.backup])).toMatchObject({ code: 0, errors: '' })
    expect((await operator(place, ['verify', '--files'])).output).toMatch(/^No problems found$/m)
  })

  test('is refused for a database of a newer version', async () => {
    const place = await aCatalogue()
    await place.sql(
      `INSERT INTO "migrations" ("name", "appliedAt") VALUES ('999-future.sql', '2030-01-01T00:00:00.000Z')`,
    )
    expect(await operator(place, ['backup', place.backup])).toMatchObject({
      code: 1,
      errors: 'The database was made by a newer version of Mokuroku (it has 999-future.sql). Please upgrade.',
    })
  })
})

/** Faults of a backup: how to cause them, and the message that the operator reads. */
const FAULTS: Record<string, [(backup: string) => void, string]> = {
  'a folder without a manifest': [
    (backup) => rmSync(join(backup, 'manifest.json')),
    'BACKUP is not a backup: manifest.json is missing.',
  ],
  'a backup that was broken off': [
    (backup) => {
      rmSync(join(backup, 'manifest.json'))
      writeFileSync(join(backup, 'manifest.partial.json'), '{}')
    },
    'The backup in BACKUP is incomplete. Use another one.',
  ],
  'a manifest that is cut off': [
    (backup) => truncateSync(join(backup, 'manifest.json'), 100),
    'The manifest.json in BACKUP cannot be read. Use another backup, or the version that made it.',
  ],
  'a backup of a newer version': [
    (backup) => change(join(backup, 'manifest.json'), '006-ai.sql', '999-future.sql'),
    'The database was made by a newer version of Mokuroku (it has 999-future.sql). Please upgrade.',
  ],
  'a database that is cut off': [
    (backup) => truncateSync(join(backup, 'catalogue.sqlite'), 8192),
    'The backup in BACKUP is damaged: catalogue.sqlite has 8192 of BYTES bytes. Nothing was restored.',
  ],
  'a database with another byte': [
    (backup) => change(join(backup, 'catalogue.sqlite'), 'Slow life', 'Slow knife'.slice(0, 9)),
    'The backup in BACKUP is damaged: catalogue.sqlite. Nothing was restored.',
  ],
  'a missing file': [
    (backup) => rmSync(join(backup, 'files', readdirSync(join(backup, 'files'))[0] ?? '')),
    'The backup in BACKUP is damaged: files/0197f0e0-0000-7000-8000-00000000000a.webp is missing. Nothing was restored.',
  ],
  'a pipe in place of a file': [
    (backup) => replaceByPipe(join(backup, 'files', readdirSync(join(backup, 'files'))[0] ?? '')),
    'The backup in BACKUP is damaged: files/0197f0e0-0000-7000-8000-00000000000a.webp is not a file. Nothing was restored.',
  ],
  'a pipe in place of the manifest': [
    (backup) => replaceByPipe(join(backup, 'manifest.json')),
    'The manifest.json in BACKUP cannot be read. Use another backup, or the version that made it.',
  ],
  'a pipe in place of the list of checksums': [
    (backup) => replaceByPipe(join(backup, 'checksums.txt')),
    'The backup in BACKUP is damaged: checksums.txt. Nothing was restored.',
  ],
  'a name that leads elsewhere': [
    (backup) => {
      const list = join(backup, 'checksums.txt')
      const hash = () => createHash('sha256').update(readFileSync(list)).digest('hex')
      const before = hash()
      writeFileSync(list, `${readFileSync(list, 'utf8')}${'0'.repeat(64)}  files/../../outside\n`)
      change(join(backup, 'manifest.json'), before, hash())
    },
    'The backup in BACKUP is damaged: files/../../outside is not a valid file name in a backup. Nothing was restored.',
  ],
  'a list of checksums with a line less': [
    (backup) => truncateSync(join(backup, 'checksums.txt'), 80),
    'The backup in BACKUP is damaged: checksums.txt. Nothing was restored.',
  ],
}

function replaceByPipe(path: string): void {
  rmSync(path)
  execFileSync('mkfifo', [path])
}

function change(path: string, from: string, to: string): void {
  const text = readFileSync(path, 'latin1')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to), 'latin1')
}

describe('a restore', () => {
  test.each(Object.entries(FAULTS))('refuses %s, and changes nothing', async (_, [spoil, message]) => {
    const backup = await aBackup()
    const bytes = statSync(join(backup, 'catalogue.sqlite')).size
    spoil(backup)
    const place = await somewhere()
    const { code, errors } = await restoreInto(place, backup)
    expect([code, errors]).toEqual([1, message.replace('BACKUP', backup).replace('BYTES', String(bytes))])
    expect(readdirSync(place.folder)).toEqual([])
    if (place.url) expect(await everyRow(place)).toEqual({})
  })

  test('refuses a folder or a database that is not empty', async () => {
    const [backup, other] = [await aBackup(), await aCatalogue()]
    const rows = await everyRow(other)
    expect((await restoreInto(other, backup)).errors).toBe(`${other.folder} is not empty.`)
    if (!other.url) return
    const env = { ...other.env, DATA_DIR: (await somewhere()).folder }
    const { code, errors } = await restoreInto({ env }, backup)
    expect([code, errors]).toEqual([
      1,
      'The database at DATABASE_URL is not empty. Create a new one, and set DATABASE_URL to it.',
    ])
    expect(await everyRow(other)).toEqual(rows)
    expect(existsSync(join(env.DATA_DIR, 'restore.partial'))).toBe(false)
  })

  test('accepts a database with empty tables', async () => {
    const [backup, place] = [await aBackup(), await somewhere()]
    if (!place.url) return
    await inside({ ...place, folder: (await somewhere()).folder }, async () => undefined)
    expect(await restoreInto(place, backup)).toMatchObject({ code: 0, errors: '' })
    expect(await place.sql('SELECT count(*)::int AS "n" FROM "ratings"')).toEqual([{ n: 2 }])
  })
})

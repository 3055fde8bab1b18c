import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fillCatalogue, operator } from '#test/operator.ts'
import { placesOfFile } from '#test/instances.ts'
import { refusedStart, startServer } from '#test/process.ts'

const somewhere = placesOfFile()

test('does not restore a secret that is not in the manifest', async () => {
  const place = await somewhere()
  await fillCatalogue(place)
  const backup = join(dirname(place.folder), 'backup')
  expect(await operator(place, ['backup', backup], { AUTH_SECRET: 'x'.repeat(40) })).toMatchObject({ code: 0 })
  writeFileSync(join(backup, 'secret'), 'y'.repeat(43), { mode: 0o644 })
  writeFileSync(join(backup, 'extra.txt'), 'anything')
  const other = await somewhere()
  expect(await operator(other, ['restore', backup])).toMatchObject({ code: 0 })
  expect(readdirSync(other.folder)).not.toContain('secret')
  expect(readdirSync(other.folder)).not.toContain('extra.txt')

  const list = join(backup, 'checksums.txt')
  const named = `${readFileSync(list, 'utf8')}${createHash('sha256').update('y'.repeat(43)).digest('hex')}  secret\n`
  writeFileSync(list, named)
  const manifest = join(backup, 'manifest.json')
  const files = { sha256: createHash('sha256').update(named).digest('hex') }
  const before = JSON.parse(readFileSync(manifest, 'utf8')) as { files: object }
  writeFileSync(manifest, JSON.stringify({ ...before, files: { ...before.files, ...files } }))
  expect((await operator(await somewhere(), ['restore', backup])).errors).toMatch(/secret does not match manifest.json/)
})

const open = (folder: string): string[] => {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return [folder, ...paths].filter((path) => (statSync(path).mode & 0o077) !== 0)
}

test('only the owner can read anything in a data folder, even if it existed before', async () => {
  const place = await somewhere()
  chmodSync(place.folder, 0o755)
  mkdirSync(join(place.folder, 'files'), { mode: 0o755 })
  for (const name of ['catalogue.sqlite', 'lock.sqlite']) {
    writeFileSync(join(place.folder, name), '')
    chmodSync(join(place.folder, name), 0o644)
  }
  const server = await startServer(place.env)
  expect(open(place.folder)).toEqual([])
  await server.end()
  chmodSync(join(place.folder, 'lock.sqlite'), 0o644)
  const backup = join(dirname(place.folder), 'backup')
  expect(await operator(place, ['backup', backup])).toMatchObject({ code: 0 })
  expect(open(place.folder)).toEqual([])
  expect(open(backup)).toEqual([])
  chmodSync(join(backup, 'catalogue.sqlite'), 0o644)
  const other = await somewhere()
  expect(await operator(other, ['restore', backup])).toMatchObject({ code: 0 })
  expect(open(other.folder)).toEqual([])
})

test('leaves a folder with files of others as it is, except for its own files', async () => {
  const { folder, env } = await somewhere()
  const modes = () => ['', 'theirs', 'theirs.txt'].map((name) => statSync(join(folder, name)).mode & 0o777)
  mkdirSync(join(folder, 'theirs'))
  writeFileSync(join(folder, 'theirs.txt'), '')
  for (const name of ['', 'theirs']) chmodSync(join(folder, name), 0o755)
  chmodSync(join(folder, 'theirs.txt'), 0o644)
  expect(await operator({ env }, ['verify'])).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/^There is no catalogue in /) as string,
  })
  expect(modes()).toEqual([0o755, 0o755, 0o644])
  writeFileSync(join(folder, 'secret'), 'x'.repeat(43), { mode: 0o644 })
  await (await startServer(env)).end()
  expect(modes()).toEqual([0o755, 0o755, 0o644])
  expect(open(folder).filter((path) => path !== folder && !path.includes('theirs'))).toEqual([])
})

const isRoot = process.platform === 'linux' && process.getuid?.() === 0
/** An account without privileges. */
const NOBODY = 65_534

test.runIf(isRoot)(
  'commands run by root leave the data folder to its owner, and change no owner outside it',
  async ({ skip }) => {
    const place = await somewhere()
    await fillCatalogue(place)
    const home = dirname(place.folder)
    const backup = join(home, 'backup')
    expect(await operator(place, ['backup', backup])).toMatchObject({ code: 0 })
    const other = await somewhere()
    chownSync(other.folder, NOBODY, NOBODY)
    // As in the root of a file system.
    mkdirSync(join(other.folder, 'lost+found'), { mode: 0o700 })
    expect(await operator(other, ['restore', backup])).toMatchObject({ code: 0 })
    const ownersOf = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => [
        name,
        lstatSync(join(folder, name)).uid,
      ])
    expect(ownersOf(other.folder)).toContainEqual(['catalogue.sqlite', NOBODY])
    expect(ownersOf(other.folder).filter(([, uid]) => uid !== NOBODY)).toEqual([['lost+found', 0]])

    const kept = ['linked', 'named-twice', 'folder'].map((name) => join(home, name))
    const [linked = '', twice = '', folder = ''] = kept
    mkdirSync(folder)
    for (const path of [linked, twice, join(folder, 'inside')]) writeFileSync(path, '')
    const files = join(other.folder, 'files')
    symlinkSync(linked, join(files, 'a'))
    linkSync(twice, join(files, 'b'))
    symlinkSync(folder, join(files, 'c'))
    writeFileSync(join(files, 'own'), '')
    await operator(other, ['verify'])
    expect(lstatSync(join(files, 'own')).uid).toBe(NOBODY)
    expect([...kept, join(folder, 'inside')].map((path) => statSync(path).uid)).toEqual([0, 0, 0, 0])

    const closed = join(other.folder, 'lock.sqlite')
    for (const path of [home, dirname(other.folder)]) chmodSync(path, 0o755)
    if (spawnSync(process.execPath, ['-v'], { uid: NOBODY }).error)
      return skip('other accounts cannot run this checkout')
    chownSync(closed, 0, 0)
    expect(await refusedStart(other.env, { uid: NOBODY })).toMatchObject({
      code: 1,
      errors: `Mokuroku cannot start. This account may not read or write these files of the data folder ${other.folder}: lock.sqlite. Change their owner (chown) to the account that runs the server.\n`,
    })
    chownSync(closed, NOBODY, NOBODY)
    const database = join(other.folder, 'catalogue.sqlite')
    chownSync(database, 0, 0)
    expect(await operator(other, ['verify'], {}, NOBODY)).toMatchObject({
      code: 1,
      errors: `This account may not read or write these files of the data folder ${other.folder}: catalogue.sqlite. Change their owner (chown) to the account that runs the server.`,
    })
    chownSync(database, NOBODY, NOBODY)

    // Like a folder that Docker creates for a mount that does not exist.
    const roots = join(home, 'of root')
    mkdirSync(roots)
    expect(await refusedStart({ ...other.env, DATA_DIR: roots }, { uid: NOBODY })).toMatchObject({
      errors: `Mokuroku cannot start. The data folder ${roots} cannot be written. Change its owner (chown) to the account that runs the server (uid ${NOBODY}), or set DATA_DIR to a folder that can.\n`,
    })
    const denied = (path: string) =>
      `This account (uid ${NOBODY}) may not read or write ${path}. Change the owner (chown) of the folder, or name another one.`
    const asNobody = (words: string[]) => operator(other, words, {}, NOBODY)
    expect(await asNobody(['backup', roots])).toMatchObject({ errors: denied(roots) })
    expect(readdirSync(roots)).toEqual([])
    expect(await asNobody(['restore', backup])).toMatchObject({ errors: denied(backup) })
    chmodSync(backup, 0o755)
    expect(await asNobody(['restore', backup])).toMatchObject({ errors: denied(join(backup, 'manifest.json')) })
    chmodSync(join(backup, 'manifest.json'), 0o644)
    chmodSync(join(backup, 'checksums.txt'), 0o644)
    expect(await asNobody(['restore', backup])).toMatchObject({ errors: denied(join(backup, 'catalogue.sqlite')) })
    await (await startServer(other.env, { uid: NOBODY, gid: NOBODY })).end()
  },
)

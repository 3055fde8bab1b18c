import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { closeDatabase, db, openDatabase } from '#database/db.ts'
import { SYSTEM } from '#access/permissions.ts'
import { DAY_MS, momentIn } from '#lib/clock.ts'
import { verifyPassword } from '#access/password.ts'
import { tags } from '#store/tags'
import { users } from '#store/users'
import { placesOfFile } from '#test/instances.ts'
import { ADMIN, operator } from '#test/operator.ts'
import { launch } from '#test/process.ts'

const TAG = { type: 'GENRE' as const, color: '#000000', translations: { en: { name: 'Old', description: '' } } }

// With PostgreSQL, most of the commands are the same code.
describe.runIf(process.env.ENGINE === 'sqlite')('the admin command', () => {
  const home = mkdtempSync(join(tmpdir(), 'mokuroku-admin-'))
  let folder: string
  beforeEach(() => (folder = join(mkdtempSync(join(home, 'test-')), 'data')))

  const admin = async (words: string[]) => {
    const { code, output, errors } = await operator({ env: { DATA_DIR: folder, DATABASE_URL: undefined } }, words)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    return output
  }
  const accountIn = async (data: string, email: string) => {
    await openDatabase({ folder: data })
    const user = await users.withEmail(email)
    await closeDatabase()
    return user
  }

  afterAll(() => rm(home, { recursive: true, force: true }))

  test('prints its usage on request, and to standard error, with exit code 1, for what it does not know', async () => {
    for (const words of [[], ['help'], ['purge', '--help']])
      expect(await admin(words)).toMatch(/^npm run admin -- <command>/)
    for (const [words, wrong] of [
      [['bakcup', folder], 'There is no command bakcup.'],
      [['toString'], 'There is no command toString.'],
      [['backup'], 'backup needs an argument.'],
      [['password', 'a@example.org', 'b@example.org'], 'password does not take b@example.org.'],
      [['verify', '--repiar'], 'verify does not take --repiar.'],
      [['backup', '-v'], 'backup needs an argument.'],
    ] as const) {
      const { code, output, errors } = await operator({ env: { DATA_DIR: folder, DATABASE_URL: undefined } }, [
        ...words,
      ])
      expect([code, output, errors.split('\n')[0]]).toEqual([1, '', wrong])
      expect(errors).toContain('npm run admin -- <command>')
    }
  })

  test('creates an administrator, sets a new password, and is recorded in the audit log without passwords', async () => {
    const made = await admin(['admin', 'owner@example.org'])
    const [, password = ''] = /with the password (\S+)/.exec(made) ?? []
    const account = await accountIn(folder, 'owner@example.org')
    expect(account).toMatchObject({ role: 'admin', isActive: true })
    expect(await verifyPassword(password, account?.passwordHash)).toBe(true)

    const changed = await admin(['password', 'owner@example.org'])
    const [, next = ''] = /is (\S+) \(shown/.exec(changed) ?? []
    const after = await accountIn(folder, 'owner@example.org')
    expect(await verifyPassword(next, after?.passwordHash)).toBe(true)
    expect(await verifyPassword(password, after?.passwordHash)).toBe(false)

    await openDatabase({ folder })
    const entries = await db.selectFrom('audit').select(['action', 'details', 'label']).orderBy('seq').execute()
    await closeDatabase()
    expect(entries).toMatchObject([
      { action: 'operator.ran', details: { command: 'admin', argument: 'owner@example.org' } },
      { action: 'users.created', label: 'owner' },
      { action: 'operator.ran', details: { command: 'password', argument: 'owner@example.org' } },
      { action: 'account.passwordChanged', label: 'owner' },
    ])
    expect(entries[2]?.details).toEqual({
      command: 'password',
      argument: 'owner@example.org',
      account: expect.any(String),
    })
  })

  test('names an administrator by the whole address if the part before the @ is taken or too short', async () => {
    await admin(['admin', 'owner@example.org'])
    for (const email of ['owner@example.com', 'me@example.org']) {
      expect(await admin(['admin', email])).toContain(`Created the administrator ${email}`)
      expect(await accountIn(folder, email)).toMatchObject({ role: 'admin', username: email })
    }
    expect(await operator({ env: { DATA_DIR: folder, DATABASE_URL: undefined } }, ['admin', 'owner'])).toMatchObject({
      code: 1,
      errors: 'owner is not a valid email address.',
    })
  })

  test('purges only what has been in the trash for 30 days', async () => {
    await openDatabase({ folder })
    const context = { actor: SYSTEM }
    const [old, young] = [await tags.create(TAG, context), await tags.create(TAG, context)]
    await tags.remove(old, { ...context, at: momentIn(-31 * DAY_MS) })
    await tags.remove(young, context)
    await closeDatabase()
    expect(await admin(['purge'])).toBe('1 item permanently deleted')
    await openDatabase({ folder })
    expect([await tags.row(old), (await tags.row(young))?._id]).toEqual([undefined, young])
    await closeDatabase()
  })

  test('folds texts of plain zh into zh-Hans only with --yes', async () => {
    await openDatabase({ folder })
    const context = { actor: SYSTEM }
    const id = await tags.create({ ...TAG, translations: { zh: { name: '旧', description: '' } } }, context)
    await closeDatabase()
    const preview = await admin(['languages'])
    expect(preview).toContain('zh  Chinese (wanted): 0 of 0 media')
    expect(preview).toContain('Tag: 1 with zh, of which 0 have zh-Hans and keep it')
    expect(preview).toContain('Nothing is changed.')
    expect(await admin(['languages', '--fold', 'zh=zh-Hans'])).toContain('Nothing is changed.')
    expect(await admin(['languages', '--fold', 'zh=zh-Hans', '--yes'])).toContain('zh is folded into zh-Hans')
    await openDatabase({ folder })
    expect((await tags.find(id))?.translations).toEqual({ 'zh-Hans': { name: '旧', description: '' } })
    await closeDatabase()
  })

  test('runs to its end if nobody reads its output any more', async () => {
    await admin(['admin', 'owner@example.org'])
    const { child, ended } = launch(ADMIN, { DATA_DIR: folder }, [], { words: ['verify'] })
    child.stdout.destroy()
    expect(await ended).toEqual({ code: 0, signal: null, output: '', errors: '' })
  })

  test.runIf(existsSync('/dev/full'))('fails if its output cannot be written', async () => {
    await admin(['admin', 'owner@example.org'])
    const full = openSync('/dev/full', 'w')
    const { PATH } = process.env
    const { status, stderr } = spawnSync(process.execPath, [ADMIN, 'password', 'owner@example.org'], {
      env: { PATH, DATA_DIR: folder },
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    })
    closeSync(full)
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^The output could not be written: ENOSPC.*\n$/)])
  })

  test('prints an error in one line', async () => {
    await admin(['admin', 'owner@example.org'])
    const env = { DATA_DIR: folder, DATABASE_URL: undefined }
    expect(await operator({ env }, ['password', 'nobody@example.org'])).toMatchObject({
      code: 1,
      errors: 'There is no account with the address nobody@example.org.',
    })
  })
})

const somewhere = placesOfFile()

test('a command creates no catalogue if DATA_DIR or DATABASE_URL is not that of the server', async () => {
  const place = await somewhere()
  const errors = place.url
    ? 'There is no catalogue in the database at DATABASE_URL. Set it to the one that the server uses.'
    : `There is no catalogue in ${place.folder}. Set DATA_DIR or DATABASE_URL to what the server uses.`
  const backup = join(dirname(place.folder), 'backup')
  for (const words of [['password', 'owner@example.org'], ['search'], ['purge'], ['verify'], ['backup', backup]])
    expect(await operator(place, words)).toEqual({ code: 1, output: '', errors })
  expect([readdirSync(place.folder), existsSync(backup)]).toEqual([[], false])
  if (place.url)
    expect(await place.sql('SELECT "tablename" FROM pg_tables WHERE "schemaname" = current_schema()')).toEqual([])
})

import { randomBytes } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { Email, Password } from '@mokuroku/contract/users'
import { backUpDatabase, closeDatabase, engine, openDatabase, transaction } from './lib/db.ts'
import { bucketIn, type Env, readEnv } from './lib/env.ts'
import { releaseFolder, takeFolder } from './lib/folder.ts'
import { SYSTEM } from './lib/may.ts'
import { hashPassword } from './lib/password.ts'
import { openStorage, storage } from './assets/storage.ts'
import { search } from './search/store.ts'
import { purgeDue } from './trash/purge.ts'
import { firstStart } from './users/first.ts'
import { users } from './users/store.ts'

const USAGE = `npm run admin -- <command>
  admin <email>          make this account an administrator; creates it, with a password printed once, if there is none
  password <email>       give this account a new password, printed once, and end its sessions
  search                 rebuild the search index
  sample                 load the sample catalogue
  purge                  delete for good what has been in the trash for 30 days; the server does so once a day
  backup <folder>        copy the embedded database, the assets and the secret into a new folder, also while running
  restore <folder>       put a backup into an empty data folder; the server must be stopped`

const BY = { actor: SYSTEM, origin: 'system' as const }

const COMMANDS: Record<string, (argument: string, env: Env) => Promise<string>> = {
  admin: async (email) => {
    const found = await users.withEmail(Email.parse(email))
    if (!found) {
      const password = newPassword()
      const passwordHash = await hashPassword(password)
      const username = email.split('@')[0] ?? email
      await transaction((tx) => users.add(tx, { username, email, role: 'admin' }, passwordHash, BY))
      return `Created the administrator ${email} with the password ${password} (shown only this once)`
    }
    await users.update(found._id, { role: 'admin', isActive: true }, BY)
    return `${email} is an administrator now`
  },
  password: async (email) => {
    const found = await users.withEmail(email)
    if (!found) throw new Error(`There is no account with the address ${email}.`)
    const password = newPassword()
    const passwordHash = await hashPassword(password)
    await transaction((tx) => users.setPassword(tx, found._id, passwordHash, BY))
    return `The new password of ${email} is ${password} (shown only this once)`
  },
  search: async () => {
    await search.rebuild((done, total) => say(`${done} of ${total}`))
    return 'The search index is rebuilt'
  },
  sample: async (_, env) => {
    // Loaded only here: the other commands should not wait for what draws pictures.
    const { loadSample } = await import('./sample/load.ts')
    await firstStart(env.ADMIN_EMAIL, env.ADMIN_PASSWORD)
    await openFiles(env)
    await loadSample({ say, signal: new AbortController().signal, always: true })
    return 'The sample catalogue is loaded'
  },
  purge: async (_, env) => {
    await openFiles(env)
    const count = await purgeDue({ failed: (error) => say(`One could not be deleted: ${String(error)}`) })
    return count === 1 ? '1 thing is deleted for good' : `${count} things are deleted for good`
  },
  backup: async (folder, env) => {
    if (engine === 'postgres')
      throw new Error('Back up a PostgreSQL database with pg_dump, and copy DATA_DIR beside it.')
    const target = emptyFolder(folder)
    await backUpDatabase(join(target, 'catalogue.sqlite'))
    const secret = join(env.DATA_DIR, 'secret')
    if (existsSync(secret)) cpSync(secret, join(target, 'secret'))
    await openFiles(env)
    mkdirSync(join(target, 'files'), { mode: 0o700 })
    for await (const key of storage.keys()) await storage.copyTo(join(target, 'files', key), key)
    return `Backed up to ${target}`
  },
}

/** Runs one command; the text it answers with is for the operator. */
async function run([command = '', argument = '']: string[]): Promise<string> {
  const env = readEnv()
  if (command === 'restore') return restore(argument, env)
  const work = COMMANDS[command]
  if (!work || (!argument && ['admin', 'password', 'backup'].includes(command))) return USAGE
  await openDatabase({ url: env.DATABASE_URL, folder: env.DATA_DIR })
  try {
    return await work(argument, env)
  } finally {
    await closeDatabase()
  }
}

/** Before any database is opened: the folder must hold none. */
async function restore(from: string, env: Env): Promise<string> {
  if (!existsSync(join(from, 'catalogue.sqlite'))) throw new Error(`${resolve(from)} holds no backup.`)
  const target = emptyFolder(env.DATA_DIR)
  takeFolder(target)
  const bucket = bucketIn(env)
  const filter = (path: string) => !bucket || relative(from, path) !== 'files'
  cpSync(from, target, { recursive: true, force: false, filter })
  if (bucket) await restoreFiles(join(from, 'files'), env)
  releaseFolder()
  return `Restored into ${target}${bucket ? ` and the bucket ${bucket.name}` : ''}`
}

/** Puts the assets of a backup into the bucket; those that are there already are the same. */
async function restoreFiles(from: string, env: Env): Promise<void> {
  await openFiles(env)
  for (const key of readdirSync(from)) {
    const file = storage.incoming(`${key}.restored`)
    cpSync(join(from, key), file)
    await storage.keep(file, key)
  }
}

const openFiles = (env: Env): Promise<void> => openStorage(join(env.DATA_DIR, 'files'), bucketIn(env))

function emptyFolder(path: string): string {
  const folder = resolve(path)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`)
  return folder
}

const newPassword = (): string => Password.parse(randomBytes(12).toString('base64url'))

const say = (line: string): void => void process.stdout.write(`${line}\n`)

try {
  say(await run(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

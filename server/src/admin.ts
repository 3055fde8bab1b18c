import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Fold, PLAIN_CHINESE } from '@mokuroku/contract/languages'
import { Email, Password } from '@mokuroku/contract/users'
import { createBackup } from './admin/backup.ts'
import { operatorRan } from './admin/record.ts'
import { restore } from './admin/restore.ts'
import { assertMigrated, verify } from './admin/verify.ts'
import { closeDatabase, db, engine, openDatabase, transaction } from '#database/db.ts'
import { explainConnectError } from '#database/explain.ts'
import { refuseUpgradeBeside } from '#database/instances.ts'
import { bucketIn, type Env, readEnv } from './env.ts'
import { Refusal } from './lib/errors.ts'
import { machineFault, accessDenied } from './lib/faults.ts'
import { DATABASE_FILE, protectFolder, refuseUnrestored, requireAccess, lockDataFolder } from '#database/folder.ts'
import { giveToOwner } from '#database/folderOwner.ts'
import { backgroundDone } from './lib/background.ts'
import { SYSTEM } from '#access/permissions.ts'
import { appliedIn, pendingIn, schemaOf } from '#database/migrate.ts'
import { partition } from '#database/partitions.ts'
import { hashPassword } from '#access/password.ts'
import { openStorage } from './assets/storage.ts'
import { audit } from './audit/store.ts'
import { fold, previewFold } from './languages/fold.ts'
import { languages } from './languages/store.ts'
import { loadSample } from './sample/load.ts'
import { rebuildSearch } from './search/rebuild.ts'
import { purgeExpired } from './trash/purge.ts'
import { ensureFirstAdmin } from './users/bootstrap.ts'
import { users } from './users/store.ts'
import { ADMIN_COMMAND } from './lib/adminCommand.ts'

const USAGE = `${ADMIN_COMMAND} <command>
  admin <email>          make this account an administrator; creates it, with a password printed once, if there is none
  password <email>       give this account a new password, printed once, and end its sessions
  search                 rebuild the search index
  sample                 load the sample catalogue
  languages              list the languages, and preview moving texts from zh to zh-Hans; --fold zh=zh-Hans --yes moves
                         them, as one batch of the history
  purge                  permanently delete what has been in the trash for 30 days; the server does so once a day
  backup <folder>        copy database, assets and secret into an empty folder; safe while the server runs
  restore <folder>       restore a backup into an empty DATA_DIR, and into the empty database at DATABASE_URL, if set
  partition              partition versions, changed texts, activities and audit log by month (PostgreSQL; safe while
                         servers run)
  verify                 check the catalogue for inconsistencies (safe while the server runs); --repair fixes derived
                         data (counters, links, search text, thumbnails), --files also reads every file`

const CONTEXT = { actor: SYSTEM, origin: 'system' as const }

const COMMANDS: Record<string, (argument: string, env: Env, flags: string[]) => Promise<string>> = {
  admin: async (address) => {
    const { data: email } = Email.safeParse(address)
    if (email === undefined) throw new Error(`${address} is not a valid email address.`)
    const found = await users.withEmail(email)
    if (!found) {
      const password = newPassword()
      const passwordHash = await hashPassword(password)
      const add = (username: string) =>
        transaction((tx) => users.add(tx, { username, email, role: 'admin' }, passwordHash, CONTEXT))
      // The part before the @ may be too short for a username, or taken by another account.
      await add(email.split('@')[0] ?? email).catch((error: unknown) => {
        if (error instanceof Refusal) return add(email)
        throw error
      })
      return `Created the administrator ${email} with the password ${password} (shown only this once)`
    }
    await users.update(found._id, { role: 'admin', isActive: true }, CONTEXT)
    return `${email} is an administrator now`
  },
  password: async (email) => {
    const found = await users.withEmail(email)
    if (!found) throw new Error(`There is no account with the address ${email}.`)
    const password = newPassword()
    const passwordHash = await hashPassword(password)
    await transaction((tx) => users.setPassword(tx, found._id, passwordHash, CONTEXT))
    return `The new password of ${email} is ${password} (shown only this once)`
  },
  search: async () => {
    await rebuildSearch((done, total) => print(`${done} of ${total}`))
    return 'The search index is rebuilt'
  },
  sample: async (_, env) => {
    await ensureFirstAdmin(env.ADMIN_EMAIL, env.ADMIN_PASSWORD, print)
    await openFiles(env)
    await loadSample({ log: print, signal: new AbortController().signal, always: true })
    return 'The sample catalogue is loaded'
  },
  languages: async (pair, _, flags) => {
    for (const { tag, name, wanted, Media } of await languages.list())
      print(`${tag}  ${name}${wanted ? ' (wanted)' : ''}: ${Media.filled} of ${Media.of} media`)
    const [from, to] = pair ? pair.split('=') : Object.values(PLAIN_CHINESE)
    const asked = Fold.safeParse({ from, to })
    if (!asked.success) throw new Error('Name two languages, such as --fold zh=zh-Hans.')
    const isDone = flags.includes('--fold') && flags.includes('--yes')
    const { kinds, first } = await (isDone ? fold(asked.data, SYSTEM) : previewFold(asked.data))
    for (const { entityType, count, kept } of kinds)
      print(`${entityType}: ${count} with ${from}, of which ${kept} have ${to} and keep it`)
    for (const { entityType, title, kept } of first)
      print(`  ${entityType} ${title}${kept ? ` (keeps its ${to})` : ''}`)
    if (isDone) return `${from} is folded into ${to}`
    return `Nothing is changed. To fold: ${ADMIN_COMMAND} languages --fold ${from}=${to} --yes`
  },
  purge: async (_, env) => {
    await openFiles(env)
    const count = await purgeExpired({ failed: (error) => print(`Failed to delete one item: ${String(error)}`) })
    return count === 1 ? '1 item permanently deleted' : `${count} items permanently deleted`
  },
  backup: async (folder, env) => {
    await openFiles(env)
    return createBackup(folder, env, print)
  },
  partition: async () => {
    const tables = await partition()
    return tables.length === 0 ? 'The tables are already partitioned' : `Partitioned by month: ${tables.join(', ')}`
  },
  verify: async (_, env, flags) => {
    const repair = flags.includes('--repair')
    await assertMigrated()
    await openFiles(env)
    const isConsistent = await verify({ repair, files: flags.includes('--files') }, print)
    if (!isConsistent) process.exitCode = 1
    return isConsistent ? 'No problems found' : 'Problems found'
  },
}

/** The migration that introduced the audit log. */
const AUDIT = '007-audit.sql'

/** Commands that work on a database of any version, and do not change it. */
const UNCHANGED = new Set(['backup', 'verify'])

/** Commands that may run before the first start. All others would create an empty catalogue if DATA_DIR is mistyped. */
const BEFORE_START = new Set(['admin', 'sample'])

/** The commands with an argument: those that need one, and the one that can do without. */
const NEED_ARGUMENT = new Set(['admin', 'password', 'backup', 'restore'])
const TAKE_ARGUMENT = new Set([...NEED_ARGUMENT, 'languages'])

/** The flags of each command. */
const FLAGS: Record<string, string[]> = { languages: ['--fold', '--yes'], verify: ['--repair', '--files'] }

/** What is wrong with a command line, in one sentence; undefined if nothing. */
function misuse(command: string, words: string[], flags: string[]): string | undefined {
  if (command !== 'restore' && !Object.hasOwn(COMMANDS, command)) return `There is no command ${command}.`
  if (NEED_ARGUMENT.has(command) && words.length === 0) return `${command} needs an argument.`
  const [extra] = [
    ...words.slice(TAKE_ARGUMENT.has(command) ? 1 : 0),
    ...flags.filter((flag) => !FLAGS[command]?.includes(flag)),
  ]
  return extra === undefined ? undefined : `${command} does not take ${extra}.`
}

/** Runs one command, and returns the text for the operator. Throws an Error with the usage for an invalid one. */
async function run([command = 'help', ...rest]: string[]): Promise<string> {
  if (command === 'help' || [command, ...rest].some((word) => ['--help', '-h'].includes(word))) return USAGE
  const flags = rest.filter((word) => word.startsWith('-'))
  const words = rest.filter((word) => !flags.includes(word))
  const wrong = misuse(command, words, flags)
  if (wrong) throw new Error(`${wrong}\n\n${USAGE}`)
  const [argument = ''] = words
  const env = readEnv()
  protectFolder(env.DATA_DIR, print)
  try {
    const work = COMMANDS[command]
    if (!work) return await restore(argument, env, print)
    await open(env, command)
    try {
      await record(command, rest.join(' '))
      return await work(argument, env, flags)
    } finally {
      await backgroundDone()
      await closeDatabase()
    }
  } catch (error) {
    // SQLite does not say which file it could not open or write.
    const fault = machineFault(error) ?? machineFault((error as Error).cause)
    if (!env.DATABASE_URL && !accessDenied(error) && fault?.code === 'unavailable') requireAccess(env.DATA_DIR)
    throw error
  } finally {
    giveToOwner(env.DATA_DIR)
  }
}

/**
 * Records a command in the audit log before it does anything. Commands that change nothing also work on a database that
 * is too old to have an audit log, or that cannot be written.
 */
async function record(command: string, argument: string): Promise<void> {
  const isUnchanged = UNCHANGED.has(command)
  if (isUnchanged && !(await appliedIn(schemaOf(db, engine))).includes(AUDIT)) return
  await audit.recordNow(operatorRan(command, argument)).catch((error: unknown) => {
    if (!isUnchanged || !machineFault(error)) throw error
    print(`Could not record this command in the audit log: ${machineFault(error)?.message}`)
  })
}

/** Opens the database. Upgrades it only if no server uses the folder, which could be of the previous version. */
async function open({ DATABASE_URL: url, DATA_DIR: folder }: Env, command: string): Promise<void> {
  refuseUnrestored(folder)
  const needsCatalogue = !BEFORE_START.has(command)
  if (needsCatalogue && !url && !existsSync(join(folder, DATABASE_FILE))) throw noCatalogue(url, folder)
  await openDatabase({ url, folder, upgrade: false })
  const schema = schemaOf(db, engine)
  const hasCatalogue = (await appliedIn(schema)).length > 0
  if (hasCatalogue && (UNCHANGED.has(command) || (await pendingIn(schema)).length === 0)) return
  await closeDatabase()
  if (needsCatalogue && !hasCatalogue) throw noCatalogue(url, folder)
  lockDataFolder(folder)
  await openDatabase({ url, folder, log: print, mayUpgrade: (pending) => refuseUpgradeBeside(pending, folder) })
}

const noCatalogue = (url: string | undefined, folder: string): Error =>
  url
    ? new Error('There is no catalogue in the database at DATABASE_URL. Set it to the one that the server uses.')
    : new Error(`There is no catalogue in ${folder}. Set DATA_DIR or DATABASE_URL to what the server uses.`)

const openFiles = (env: Env): Promise<void> => openStorage(join(env.DATA_DIR, 'files'), bucketIn(env))

const newPassword = (): string => Password.parse(randomBytes(12).toString('base64url'))

function explainError(error: unknown): string {
  const { message } = error as Error
  // The message may say which disk: that of the data, of a backup, or of PostgreSQL.
  const isFull = machineFault(error)?.code === 'full'
  return (
    accessDenied(error) ??
    explainConnectError(error) ??
    (isFull ? `A disk is full: ${message}. Free some space and try again.` : message)
  )
}

const print = (line: string): void => void process.stdout.write(`${line}\n`)

// If whoever reads the output ends first, as `head` does, the command still runs to its end. But where the output cannot
// be written, as on a full disk, a new password is lost.
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode === 1) return
  process.stderr.write(`The output could not be written: ${message}\n`)
  process.exitCode = 1
})
try {
  print(await run(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`)
  process.exitCode = 1
}

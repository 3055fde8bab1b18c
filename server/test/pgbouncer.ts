// A real PgBouncer in front of a test's PostgreSQL, if it is installed, or can be installed as root on Debian.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import { installedByApt } from '../../scripts/apt.ts'
import { unprivileged, unprivilegedFolder } from '../../scripts/postgres.ts'
import { freePort } from './process.ts'

export interface PgBouncer {
  /** The URL of the database of `startPgBouncer`, through PgBouncer. */
  url: string
  /** Kills it, with all its connections. */
  kill(): Promise<void>
  /** Starts it again on the same port. */
  start(): Promise<void>
  remove(): Promise<void>
}

/** The path of the program; undefined if it is not installed and cannot be. */
export function findPgBouncer(): string | undefined {
  const find = () =>
    [...(process.env.PATH ?? '').split(':'), '/usr/sbin'].map((each) => join(each, 'pgbouncer')).find(existsSync)
  return find() ?? (installedByApt('pgbouncer') ? find() : undefined)
}

/** Starts it in transaction mode for the database at `url`, with at most `size` connections to it. */
export async function startPgBouncer(program: string, url: string, size: number): Promise<PgBouncer> {
  const { hostname, port, username, pathname } = new URL(url)
  const owner = unprivileged()
  const own = await freePort()
  const folder = unprivilegedFolder('pgbouncer')
  const settings = join(folder, 'pgbouncer.ini')
  const database = pathname.slice(1)
  // Version 1.21 and newer support prepared statements; older ones refuse to start with this setting.
  const [, minor = '0'] =
    /PgBouncer 1\.(\d+)/.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout) ?? []
  writeFileSync(join(folder, 'users'), `"${username}" ""\n`)
  writeFileSync(
    settings,
    `[databases]
${database} = host=${hostname} port=${port} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 200
${Number(minor) >= 21 ? 'max_prepared_statements = 250' : ''}
`,
  )
  const start = async () => {
    const child = spawn(program, ['-q', settings], { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    const errors: Buffer[] = []
    child.stderr.on('data', (part: Buffer) => errors.push(part))
    while (!(await answers(own))) {
      if (child.exitCode !== null)
        throw new Error(`PgBouncer did not start: ${Buffer.concat(errors).toString().trim()}`)
      await sleep(20)
    }
    return child
  }
  let child = await start()
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  process.once('exit', () => child.kill('SIGKILL'))
  return {
    url: `postgres://${username}@127.0.0.1:${own}/${database}`,
    kill,
    start: async () => void (child = await start()),
    remove: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Whether a port accepts connections. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  socket.destroy()
  return isOpen
}

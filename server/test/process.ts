// The real server in its own process, for what only a process can show: crashes, signals, refused starts.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../../scripts/freePort.ts'

export { freePort }

const MAIN = join(import.meta.dirname, '../dist/main.js')
/** Shared, since many short-lived processes load the same modules. */
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node')
/** The sources rather than the bundle, so that a preloaded file (standIns.ts) shares its modules. */
const SOURCE = join(import.meta.dirname, '../src/main.ts')
const children = new Map<ChildProcess, Promise<Ended>>()
const killAll = () => {
  for (const child of children.keys()) child.kill('SIGKILL')
}
process.once('exit', killAll)

/** Kills what is still running, as after a test that failed, and waits for its end. */
export async function endLaunched(): Promise<void> {
  killAll()
  await Promise.all(children.values())
}

export type Environment = Record<string, string | undefined>

export interface How {
  /** The account to run under, if this process may choose. */
  uid?: number
  gid?: number
  /** Runs the sources instead of the bundle. */
  isSource?: boolean
  /** The main file of another version. */
  main?: string | undefined
  /** Arguments for Node. */
  args?: string[]
  /** Arguments for the program itself. */
  words?: string[]
}

/** Prints every file that the process loads to standard output. */
export const sayingWhatIsLoaded: How = {
  args: [
    '--import',
    `data:text/javascript,${encodeURIComponent(`import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => (process.stdout.write('loaded ' + url + '\\n'), next(url, context)) })`)}`,
  ],
}

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  /** Its output on standard error. */
  errors: string
  /** Its output on standard output. */
  output: string
}

export interface Running {
  url: string
  port: number
  pid: number | undefined
  /** How long the start took, in milliseconds. */
  startedIn: number
  /** Its output on standard output so far: messages and the log. */
  output(): string
  /** Resolves when it has ended. */
  ended: Promise<Ended>
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<Ended>
}

/**
 * How long a test waits for something that is sure to come, in milliseconds. On a loaded machine, a start may take many
 * times as long as usual: only what hangs takes this long.
 */
export const HANG_MS = 120_000

/** Starts the server and waits until it is ready. Throws its output if it ends instead, or takes too long. */
export async function startServer(env: Environment, how: How = {}): Promise<Running> {
  const port = await freePort()
  const began = performance.now()
  const { child, ended, output } = launchServer(env, port, how)
  const url = `http://127.0.0.1:${port}`
  await ready(child, ended, 'is ready on')
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return ended
  }
  return { url, port, pid: child.pid, startedIn: performance.now() - began, output, ended, end }
}

/** Starts the server without waiting, to test what happens meanwhile. */
export const launchServer = (env: Environment, port: number, how: How = {}) =>
  launch(how.main ?? (how.isSource ? SOURCE : MAIN), { LOG_LEVEL: 'error', ...env, PORT: String(port) }, how.args, how)

/** Starts the server where it is expected to refuse to start, and waits for its end. */
export async function refusedStart(env: Environment, how: How = {}): Promise<Ended> {
  const { child, ended } = launch(MAIN, { LOG_LEVEL: 'error', PORT: String(await freePort()), ...env }, how.args, how)
  const timer = setTimeout(() => child.kill('SIGKILL'), HANG_MS)
  return ended.finally(() => clearTimeout(timer))
}

/** Runs a program with Node, in a clean environment. It is killed when this process ends. */
export function launch(program: string, env: Environment, args: string[] = [], { uid, gid, words = [] }: How = {}) {
  const { PATH, HOME, TMPDIR } = process.env
  const own = { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE: COMPILE_CACHE }
  const child = spawn(process.execPath, [...args, program, ...words], {
    env: { ...own, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid !== undefined && { uid, gid: gid ?? uid }),
  })
  let [errors, output] = ['', '']
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    children.delete(child)
    return { code: code as Ended['code'], signal: signal as Ended['signal'], errors, output }
  })
  children.set(child, ended)
  return { child, ended, output: () => output }
}

/** Waits until a program has printed `words`. */
export async function ready(
  child: ReturnType<typeof launch>['child'],
  ended: Promise<Ended>,
  words: string,
): Promise<void> {
  let output = ''
  const said = new Promise<void>((resolve) => {
    child.stdout.on('data', (part: Buffer) => {
      output += part.toString()
      if (output.includes(words)) resolve()
    })
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), HANG_MS)
  const failed = ended.then(({ code, signal, errors }) => {
    throw new Error(`The server did not start (${code ?? signal}): ${output}${errors}`)
  })
  await Promise.race([said, failed]).finally(() => clearTimeout(timer))
  failed.catch(() => undefined)
}

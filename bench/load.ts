// A small load generator: keep-alive connections on loopback, with one call at a time on each.
import { existsSync, readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'

export interface Ask {
  method?: 'GET' | 'PUT' | 'POST' | 'PATCH'
  path: string
  headers?: Record<string, string>
  body?: string
}
/** A call that bypasses the server's cache. */
export const anew = (asked: Ask): Ask => ({ ...asked, headers: { ...asked.headers, 'cache-control': 'no-cache' } })

export interface Answer {
  status: number
  body: string
}

/** A client of one server. `headers` are sent with every call. */
export class Client {
  readonly #port: number
  readonly #headers: Record<string, string>
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })

  constructor(port: number, headers: Record<string, string> = {}) {
    this.#port = port
    this.#headers = headers
  }

  ask({ method = 'GET', path, headers, body }: Ask): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const all = {
        ...this.#headers,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      }
      const options = {
        host: '127.0.0.1',
        port: this.#port,
        agent: this.#agent,
        method,
        path,
        headers: all,
        timeout: 30_000,
      }
      const call = request(options, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }))
        response.on('error', reject)
      })
      call.on('timeout', () => call.destroy(new Error(`No answer within 30 seconds: ${method} ${path}`)))
      call.on('error', reject)
      call.end(body)
    })
  }

  /** Makes a call, and returns its duration in milliseconds. Throws if the status is not 200. */
  async time(asked: Ask): Promise<number> {
    const at = performance.now()
    const { status, body } = await this.ask(asked)
    const took = performance.now() - at
    if (status !== 200) throw new Error(`${asked.method ?? 'GET'} ${asked.path} answered ${status}: ${body}`)
    return took
  }

  /** Makes calls on several connections for a time, at most 5,000. Returns the throughput in calls per second. */
  async press(next: () => Ask, connections: number, milliseconds: number): Promise<number> {
    const began = performance.now()
    let count = 0
    const loop = async () => {
      while (performance.now() < began + milliseconds && count < 5000) {
        count++
        await this.time(next())
      }
    }
    await Promise.all(Array.from({ length: connections }, loop))
    return (1000 * count) / (performance.now() - began)
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** The CPU time that a process has used, in hundredths of a second; NaN except on Linux. */
export function cpuOf(pid: number | undefined): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return Number.NaN
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return Number(fields[11]) + Number(fields[12])
}

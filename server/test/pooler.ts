// Stands in for a PostgreSQL connection pooler in transaction mode without support for prepared statements: what one
// transaction prepared, the next one, on another connection, does not find.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

interface Lent {
  socket: Socket
  /** The client to which it is assigned. */
  to: Socket | undefined
  /** The number of outstanding ReadyForQuery messages: one per Query and Sync. */
  owes: number
  greeting: Buffer
}

/** Starts a pooler with `size` connections to the database at `url`, assigned in turn. */
export async function startPooler(url: string, size: number): Promise<{ url: string; lent: number; end: () => void }> {
  const { hostname, port, username, pathname } = new URL(url)
  const lines: Lent[] = []
  const waiting: (() => void)[] = []
  const clients = new Set<Socket>()
  const state = { url: '', lent: 0, end: () => undefined as void }
  for (let each = 0; each < size; each += 1) lines.push(await open())

  async function open(): Promise<Lent> {
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    const words = ['user', username, 'database', pathname.slice(1), '', ''].join('\0')
    const startup = Buffer.alloc(8 + Buffer.byteLength(words))
    startup.writeInt32BE(startup.length, 0)
    startup.writeInt32BE(196_608, 4)
    startup.write(words, 8)
    socket.write(startup)
    const line: Lent = { socket, to: undefined, owes: 0, greeting: Buffer.alloc(0) }
    let isOpen = false
    await new Promise<void>((resolve) => {
      const read = reader((kind, message) => {
        if (!isOpen) {
          line.greeting = Buffer.concat([line.greeting, message])
          isOpen = kind === 'Z'
          if (isOpen) resolve()
          return
        }
        line.to?.write(message)
        if (kind !== 'Z') return
        line.owes -= 1
        if (line.owes === 0 && message.toString('latin1', 5, 6) === 'I') giveBack(line)
      })
      socket.on('data', read)
    })
    return line
  }

  function giveBack(line: Lent): void {
    line.to = undefined
    // Move it to the end, so that the next client gets another one.
    lines.push(...lines.splice(lines.indexOf(line), 1))
    waiting.shift()?.()
  }

  const server = createServer((client) => {
    clients.add(client)
    client.setNoDelay(true)
    client.on('error', () => undefined)
    let isGreeted = false
    let held: Buffer[] = []
    const pass = () => {
      const line = lines.find(({ to }) => to === client) ?? lines.find(({ to }) => to === undefined)
      if (!line) return void waiting.push(pass)
      if (line.to === undefined) state.lent += 1
      line.to = client
      for (const message of held) {
        if ('QS'.includes(message.toString('latin1', 0, 1))) line.owes += 1
        line.socket.write(message)
      }
      held = []
    }
    const read = reader((kind, message) => {
      if (kind === 'X') return void client.end()
      held.push(message)
      if (held.length === 1) queueMicrotask(pass)
    })
    client.on('data', (data: Buffer) => {
      if (isGreeted) return read(data)
      isGreeted = true
      client.write(lines[0]?.greeting ?? '')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  state.url = `postgres://${username}@127.0.0.1:${typeof address === 'object' ? address?.port : 0}${pathname}`
  state.end = () => {
    server.close()
    for (const socket of [...clients, ...lines.map((line) => line.socket)]) socket.destroy()
  }
  return state
}

/** `AuthenticationOk` and `ReadyForQuery`. */
const WELCOME = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I')

/** Starts a pooler whose database is away: it accepts clients, and does not answer their statements. */
export async function startPausedPooler() {
  const clients = new Set<Socket>()
  let statements = 0
  const server = createServer((client) => {
    clients.add(client)
    client.on('error', () => undefined).on('close', () => clients.delete(client))
    const read = reader((kind) => void (kind === 'Q' && (statements += 1)))
    client.once('data', () => {
      client.write(WELCOME)
      client.on('data', read)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `postgres://nobody@127.0.0.1:${typeof address === 'object' ? address?.port : 0}/nothing`,
    /** The number of open connections. */
    open: () => clients.size,
    /** The number of statements received. */
    statements: () => statements,
    end: (): void => {
      server.close()
      for (const client of clients) client.destroy()
    },
  }
}

/** Splits a stream into messages: a letter, the length of the rest, the rest. */
function reader(take: (kind: string, message: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (data) => {
    rest = Buffer.concat([rest, data])
    while (rest.length >= 5) {
      const end = 1 + rest.readInt32BE(1)
      if (rest.length < end) return
      const message = rest.subarray(0, end)
      rest = rest.subarray(end)
      take(message.toString('latin1', 0, 1), message)
    }
  }
}

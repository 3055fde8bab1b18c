// SQLite, built into Node.
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type SqliteDatabase,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely'
import { createFolder } from '#lib/createFolder.ts'
import { encode } from './columns.ts'
import { DATABASE_FILE } from './folder.ts'
import { onlyReads } from './prepared.ts'
import { type Access, type Answer, type Session, TransactionOver } from './executor.ts'

/**
 * Takes the write lock at the start, when SQLite waits for another process such as a command; later in a transaction it
 * could not wait.
 */
const BEGIN = 'begin immediate'
const MAX_PREPARED = 1000
const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
}

/** The number of rows that `bookkeeping` has written (state.ts). */
let bookkeepingRows = 0
export const countBookkeeping = (rows: number): void => void (bookkeepingRows += rows)

interface Prepared {
  statement: StatementSync
  /** Whether it returns rows. */
  reader: boolean
}

type Run = (text: string, values: readonly unknown[]) => Answer

/**
 * The state of the database, which `state.ts` describes. While a transaction is open, other connections read what was
 * committed before it: `state_before()` is the state at its start.
 */
export const STATE = `(SELECT coalesce(state_before(), "data_version" || ' ' || (total_changes() - bookkeeping_rows()))
  FROM pragma_data_version)`
const READ_STATE = `SELECT ${STATE} AS "state"`

/** How long a transaction may keep other requests from being handled, in milliseconds, if its statements are short. */
const SLICE_MS = 20

/**
 * WAL with synchronous=FULL: a write is acknowledged only when it survives a power cut. Statements run on one
 * connection, one transaction at a time. While a transaction is open, reads outside it run on a second connection, and do
 * not wait for it.
 */
export function embedded(folder: string): { file: DatabaseSync; access: Access; driver: Driver } {
  createFolder(folder)
  const path = join(folder, DATABASE_FILE)
  const file = new DatabaseSync(path)
  file.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000')
  file.exec('PRAGMA cache_size=-65536; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY')
  const { prepared, run, close } = statementsOf(file, () => null)
  /** The state of the database before the open transaction of `access`. */
  let stateBefore: string | undefined
  let second: ReturnType<typeof statementsOf> | undefined
  const openSecond = () => {
    const reading = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
    reading.exec('PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY')
    return statementsOf(reading, () => stateBefore ?? null)
  }
  const mutex = createMutex()
  const driver = sharedDriver(mutex, {
    close: () => {
      second?.close()
      close()
    },
    prepare: (text) => {
      // SQLite has already rolled back some failed transactions itself.
      if (text === 'rollback' && !file.isTransaction) return NOTHING
      const { statement, reader } = prepared(text === 'begin' ? BEGIN : text)
      const values = (given: readonly unknown[]) => given.map(encode) as SQLInputValue[]
      return {
        reader,
        all: (given) => statement.all(...values(given)),
        run: (given) => statement.run(...values(given)),
        iterate: (given) => statement.iterate(...values(given)),
      }
    },
  })
  const access: Access = {
    send: async ({ sql, parameters }) => {
      if (mutex.isFree()) return run(sql, parameters)
      if (onlyReads(sql)) {
        if (!file.isTransaction) return run(sql, parameters)
        if (stateBefore !== undefined) return (second ??= openSecond()).run(sql, parameters)
      }
      await mutex.acquire()
      try {
        return run(sql, parameters)
      } finally {
        mutex.release()
      }
    },
    begin: async () => {
      await mutex.acquire()
      try {
        run(BEGIN, [])
        const { rows } = run(READ_STATE, []) as QueryResult<{ state: string }>
        stateBefore = rows[0]?.state
      } catch (error) {
        if (file.isTransaction) run('rollback', [])
        mutex.release()
        throw error
      }
      return sessionOn(file, run, () => {
        stateBefore = undefined
        mutex.release()
      })
    },
  }
  return { file, access, driver }
}

/** Runs statements on a connection, which keeps them prepared. */
function statementsOf(file: DatabaseSync, stateBefore: () => string | null) {
  file.function('bookkeeping_rows', () => bookkeepingRows)
  file.function('state_before', stateBefore)
  const statements = new Map<string, Prepared>()
  const prepared = (text: string): Prepared => {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= MAX_PREPARED) statements.clear()
    const statement = file.prepare(text)
    const reader = statement.columns().length > 0
    // The search index inserts rows with ids beyond the safe integers, which Node 26 refuses to return as numbers.
    if (!reader) statement.setReadBigInts(true)
    const made = { statement, reader }
    statements.set(text, made)
    return made
  }
  const run: Run = (text, given) => {
    const { statement, reader } = prepared(text)
    const values = given.map(encode) as SQLInputValue[]
    if (reader) return { rows: statement.all(...values) }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }
  return { prepared, run, close: () => file.close() }
}

function sessionOn(file: DatabaseSync, run: Run, release: () => void): Session {
  let isOver = false
  let sliceBegan = performance.now()
  // Statements sent meanwhile wait for the same promise, and so keep their order; one that takes long makes the others
  // wait for another turn.
  let pause: Promise<void> | undefined
  const afterPause = () => {
    pause = undefined
    sliceBegan = performance.now()
  }
  return {
    send: async ({ sql, parameters }) => {
      for (;;) {
        if (!pause && performance.now() - sliceBegan > SLICE_MS) pause = yieldToEventLoop().then(afterPause)
        if (!pause) break
        await pause
      }
      if (isOver) throw new TransactionOver()
      return run(sql, parameters)
    },
    written: 0,
    commit: async () => {
      isOver = true
      run('commit', [])
    },
    rollback: async () => {
      isOver = true
      // SQLite has already rolled back some failed transactions itself.
      if (file.isTransaction) run('rollback', [])
    },
    release,
  }
}

type Mutex = ReturnType<typeof createMutex>

/** A mutex: one holder at a time, in the order of their requests. */
function createMutex() {
  const waiting: (() => void)[] = []
  let isTaken = false
  return {
    isFree: () => !isTaken,
    acquire: (): Promise<void> => {
      if (isTaken) return new Promise((resolve) => waiting.push(resolve))
      isTaken = true
      return Promise.resolve()
    },
    release: (): void => {
      const next = waiting.shift()
      if (next) next()
      else isTaken = false
    },
  }
}

/** The driver for what Kysely sends itself: its only connection is lent to one caller at a time. */
function sharedDriver(mutex: Mutex, database: SqliteDatabase): Driver {
  const driver = new SqliteDriver({ database })
  return Object.assign(driver, {
    acquireConnection: async (): Promise<DatabaseConnection> => {
      await mutex.acquire()
      return SqliteDriver.prototype.acquireConnection.call(driver)
    },
    releaseConnection: async () => mutex.release(),
  })
}

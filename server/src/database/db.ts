import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Kysely,
  type KyselyPlugin,
  type QueryId,
  type SelectQueryBuilder,
  sql,
  SqliteDialect,
  type SqliteStatement,
  type Transaction as KyselyTransaction,
} from 'kysely'
import { appliedIn, ALL_PAGES, migrate, schemaOf } from './migrate.ts'
import { enforceTimeouts, postgres } from './postgres.ts'
import { columnsOfQuery, decode } from './columns.ts'
import type { Engine } from './engine.ts'
import type { Tables } from './tables.ts'

/** How long somebody who asks whether the database answers waits for it, in milliseconds. */
const PROBE_TIMEOUT_MS = 3000

export type Transaction = KyselyTransaction<Tables>

/** The open database. Set by `openDatabase`. */
export let db: Kysely<Tables>
export let engine: Engine

interface Opening {
  url?: string | undefined
  /** The most connections at the same time. */
  pool?: number | undefined
  folder: string
  /** Brings its schema up to date (database/migrate.ts), unless `upgrade` is false. */
  upgrade?: boolean
  migrations?: string
  /** Takes a line for the operator. */
  say?: (line: string) => void
}

/** Opens the database at `url`, or the embedded one in `folder`. Throws an Error of one line where it cannot be used. */
export async function openDatabase({ url, pool, folder, upgrade = true, migrations, say }: Opening): Promise<void> {
  engine = url ? 'postgres' : 'sqlite'
  sqlite = undefined
  const dialect = url ? postgres(url, encode, pool) : embedded(folder)
  db = new Kysely<Tables>({ dialect, plugins: [decoding] })
  try {
    enforceTimeouts(false)
    if (upgrade) await migrate({ db, engine, folder, sqlite, migrations, say })
    else await appliedIn(schemaOf(db, engine), migrations)
    enforceTimeouts(true)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** A database that is out of reach is not waited for: what it has not confirmed nobody was told either. */
export const closeDatabase = (): Promise<void> =>
  Promise.race([db.destroy(), sleep(PROBE_TIMEOUT_MS, undefined, { ref: false })])

/** How often a transaction that others got in the way of is tried. */
const MAX_ATTEMPTS = 8
/** The first wait before another attempt; each further one is up to twice as long. */
const BACKOFF_MS = 10
/** SQLSTATE of a serialization failure and of a deadlock. */
const CONTENTION = new Set(['40001', '40P01'])

/**
 * Thrown by a transaction that cannot go on without the risk of a deadlock: it is rolled back, and begun again with
 * `first`. Reads as a serialization failure to whoever sees it after the last attempt.
 */
export class Restart extends Error {
  readonly code = '40001'
  readonly first: (tx: Transaction) => Promise<void>

  constructor(first: (tx: Transaction) => Promise<void>) {
    super('The transaction has to begin again')
    this.first = first
  }
}

/** How often transactions were begun again since the start, by the SQLSTATE of the reason. */
export const retries = { '40001': 0, '40P01': 0 }

/**
 * Runs `work` in one transaction. On PostgreSQL it is tried again after a deadlock or a serialization failure, with
 * exponential backoff and jitter; `work` must therefore do nothing but talk to the database.
 */
export async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  let first: Restart['first'] | undefined
  for (let attempt = 1; ; attempt += 1)
    try {
      return await attemptOnce(work, first)
    } catch (error) {
      const { code } = error as { code?: unknown }
      if (!CONTENTION.has(String(code)) || attempt === MAX_ATTEMPTS) throw error
      retries[code as keyof typeof retries] += 1
      if (error instanceof Restart) first = error.first
      else await sleep(Math.random() * BACKOFF_MS * 2 ** attempt)
    }
}

async function attemptOnce<T>(work: (tx: Transaction) => Promise<T>, first: Restart['first'] | undefined): Promise<T> {
  const acts: (() => void)[] = []
  const result = await db.transaction().execute(async (tx) => {
    const last = new Map<Stage, () => Promise<void>>()
    whenCommitted.set(tx, acts)
    atTheEnd.set(tx, last)
    await first?.(tx)
    const done = await work(tx)
    for (const stage of STAGES) await last.get(stage)?.()
    return done
  })
  for (const act of acts) act()
  return result
}

const whenCommitted = new WeakMap<Transaction, (() => void)[]>()

/** Runs `act` when the transaction has been committed, and never when it fails. `act` must not throw. */
export const afterCommit = (tx: Transaction, act: () => void): void => void whenCommitted.get(tx)?.push(act)

/**
 * What is written last, in this order in every transaction: rows that many writers need are locked briefly, and no two
 * writers wait for each other.
 */
const STAGES = ['tagUses', 'assetFlags', 'relatedFindings', 'counters', 'inboxes', 'audit'] as const
type Stage = (typeof STAGES)[number]

const atTheEnd = new WeakMap<Transaction, Map<Stage, () => Promise<void>>>()

/**
 * Collects what a transaction writes last. The first call makes `pending` and has it written by `write` at the stage;
 * every call answers the same `pending` of the transaction.
 */
export function lateWrite<Pending>(
  stage: Stage,
  start: () => Pending,
  write: (tx: Transaction, pending: Pending) => Promise<void>,
) {
  const pendingOf = new WeakMap<Transaction, Pending>()
  return (tx: Transaction): Pending => {
    const known = pendingOf.get(tx)
    if (known) return known
    const last = atTheEnd.get(tx)
    if (!last) throw new Error('This transaction was not begun by `transaction`')
    const pending = start()
    pendingOf.set(tx, pending)
    last.set(stage, () => write(tx, pending))
    return pending
  }
}

/** Locks the selected rows until the transaction ends. SQLite has one writer at a time and needs nothing. */
export const locked = <T extends SelectQueryBuilder<Tables, keyof Tables, unknown>>(query: T): T =>
  engine === 'postgres' ? (query.forUpdate() as T) : query

/** Transactions that name the same pass one at a time from here to their end; in SQLite they do anyway. */
export async function oneAtATime(tx: Transaction, name: string): Promise<void> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/** The names of one `oneOfEachAtATime` share so many locks: PostgreSQL has a few thousand in all. */
const SHARED_LOCKS = 64

/** As `oneAtATime`, for each of the names. All locks are taken here, in one order. */
export async function oneOfEachAtATime(tx: Transaction, name: string, names: string[]): Promise<void> {
  if (engine !== 'postgres' || names.length === 0) return
  const slotOf = (each: string) => 1 + (createHash('sha256').update(each).digest().readUInt32BE() % SHARED_LOCKS)
  const slots = [...new Set(names.map(slotOf))].toSorted((one, other) => one - other)
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, "slot"::bigint))
    FROM json_array_elements_text(${JSON.stringify(slots)}::json) AS "slot"`.execute(tx)
}

/** As `oneAtATime`, but beside others that pass by this: only who names it there waits for them, and they for it. */
export async function besideOthers(tx: Transaction, name: string): Promise<void> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(tx)
}

// What the engines store differs from what the contract says in three ways: booleans are 0 and 1, documents are JSON
// text, and an empty clearable field is null. Values are encoded by the drivers below and decoded by this plugin.

const encode = (value: unknown): unknown => {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (value === undefined) return null
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const columnsOf = new WeakMap<QueryId, ReturnType<typeof columnsOfQuery>>()
const decoding: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => {
    columnsOf.set(queryId, columnsOfQuery(node))
    return node
  },
  transformResult: async ({ result, queryId }) => {
    const columns = columnsOf.get(queryId)
    if (columns?.size) for (const row of result.rows) decode(row, columns)
    return result
  },
}

/** The lock from the first statement on: a command beside the server is waited for, where later it could not be. */
const BEGIN = 'begin immediate'
const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
}

/** The embedded database, for what SQL cannot say. */
let sqlite: DatabaseSync | undefined

/** SQLite, built into Node. WAL with synchronous=FULL: a write is acknowledged only when it survives a power cut. */
function embedded(folder: string): SqliteDialect {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = new DatabaseSync(join(folder, 'catalogue.sqlite'))
  sqlite = file
  file.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA busy_timeout=5000')
  file.exec('PRAGMA cache_size=-65536; PRAGMA mmap_size=268435456; PRAGMA temp_store=MEMORY')
  const statements = new Map<string, StatementSync>()
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text)
    if (known) return known
    if (statements.size >= 500) statements.clear()
    const statement = file.prepare(text)
    statements.set(text, statement)
    return statement
  }
  return new SqliteDialect({
    database: {
      close: () => {
        statements.clear()
        file.close()
      },
      prepare: (text) => {
        // SQLite has ended some of the transactions that failed by itself: there is nothing to roll back.
        if (text === 'rollback' && !file.isTransaction) return NOTHING
        const statement = prepared(text === 'begin' ? BEGIN : text)
        const values = (given: readonly unknown[]) => given.map(encode) as SQLInputValue[]
        return {
          reader: statement.columns().length > 0,
          all: (given) => statement.all(...values(given)),
          run: (given) => statement.run(...values(given)),
          iterate: (given) => statement.iterate(...values(given)),
        }
      },
    },
  })
}

/** Copies the embedded database into a file, consistent also while others write. */
export async function backUpDatabase(to: string): Promise<void> {
  if (sqlite) await backup(sqlite, to, { rate: ALL_PAGES })
}

/** Whether the database answers, soon. */
export async function isReachable(): Promise<boolean> {
  const asked = sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([asked, sleep(PROBE_TIMEOUT_MS, false, { ref: false })])
}

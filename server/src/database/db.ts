import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  DefaultConnectionProvider,
  type Dialect,
  type Driver,
  Kysely,
  type KyselyPlugin,
  PostgresDialect,
  type PostgresPool,
  sql,
  type SqliteDatabase,
  SqliteDialect,
  Transaction as KyselyTransaction,
} from 'kysely'
import { resetClock } from '#lib/clock.ts'
import { DATABASE_FILE, unusable } from './folder.ts'
import { appliedIn, ALL_PAGES, migrate, schemaOf } from './migrate.ts'
import { refreshReporting } from './reporting.ts'
import { requireSuitable, uncreatable } from './requirements.ts'
import { closeReplicas, noteWrite, openReplicas, readFromReplica } from './replicas.ts'
import { abandon, withoutTimeouts } from './pooledConnection.ts'
import { beginAs, type PoolOptions, postgres } from './postgres.ts'
import { decodeRows, noteColumns } from './columns.ts'
import type { Engine } from './engine.ts'
import { type Access, DirectExecutor, firstCause, type Send, type Session, together } from './executor.ts'
import { noteRetry } from './meter.ts'
import { syncClock } from './sharedClock.ts'
import { embedded } from './sqlite.ts'
import type { Tables } from './tables.ts'

/** How long a check of whether the database is reachable waits for an answer, in milliseconds. */
const PROBE_TIMEOUT_MS = 3000

export type Transaction = KyselyTransaction<Tables>

/** The database or a transaction, to read from. */
export type Reader = Pick<Kysely<Tables>, 'selectFrom'>

/** The open database. Set by `openDatabase`. */
export let db: Kysely<Tables>
export let engine: Engine

export interface Opening extends PoolOptions {
  url?: string | undefined
  /** The hosts of its standbys that may be read from. */
  replicas?: string | undefined
  /** The maximum lag of the standbys, in seconds. */
  maxLag?: number | undefined
  folder: string
  /** Whether to bring the schema up to date (database/migrate.ts); true by default. */
  upgrade?: boolean
  migrations?: string
  /** Called with a line for the operator. */
  log?: (line: string) => void
  /** As in `migrate`. */
  mayUpgrade?: (pending: string[]) => Promise<void>
}

/**
 * Opens the database at `url`, or the embedded one in `folder`. Throws an Error with a one-line message if it cannot be
 * used.
 */
export async function openDatabase({
  url,
  replicas,
  maxLag,
  pool,
  prepares,
  folder,
  upgrade = true,
  migrations,
  log,
  mayUpgrade,
}: Opening): Promise<void> {
  engine = url ? 'postgres' : 'sqlite'
  sqlite = undefined
  if (url) {
    const opened = postgres(url, { pool, prepares })
    access = opened.access
    db = connected(new PostgresDialect({ pool: {} as PostgresPool }), opened.driver)
    await opened.driver.init()
  } else {
    const opened = openEmbedded(folder)
    sqlite = opened.file
    access = opened.access
    db = connected(new SqliteDialect({ database: {} as SqliteDatabase }), opened.driver)
    await opened.driver.init()
  }
  try {
    await withoutTimeouts(async () => {
      if (url) {
        beginAs(await requireSuitable(schemaOf(db, engine)))
        await syncClock(schemaOf(db, engine), log)
      } else resetClock()
      if (upgrade) await migrate({ db, engine, folder, sqlite, migrations, log, mayUpgrade })
      else await appliedIn(schemaOf(db, engine), migrations)
    })
    if (upgrade && url) await refreshReporting(db, log)
    if (url && replicas) openReplicas(replicas, sendToPrimary, { maxLag, pool, prepares, log })
  } catch (error) {
    const forbidden = await uncreatable(error, schemaOf(db, engine))
    await db.destroy()
    throw forbidden ?? unusable(error, join(folder, DATABASE_FILE)) ?? error
  }
}

function openEmbedded(folder: string): ReturnType<typeof embedded> {
  try {
    return embedded(folder)
  } catch (error) {
    throw unusable(error, join(folder, DATABASE_FILE)) ?? error
  }
}

/** Lets a shutdown not wait for a database that does not answer: all pending statements fail at once. */
export async function abandonIfAway(): Promise<void> {
  if (engine === 'postgres' && !(await isReachable())) abandon()
}

/**
 * Closes the database, without waiting for it if it is unreachable: a write that it has not confirmed was not reported
 * as done to anyone.
 */
export const closeDatabase = (): Promise<void> =>
  Promise.race([
    Promise.all([closeReplicas(), db.destroy()]).then(() => undefined),
    sleep(PROBE_TIMEOUT_MS, undefined, { ref: false }),
  ])

/** How often a transaction, or a single statement, is attempted when it fails because of concurrent ones. */
const MAX_ATTEMPTS = 12
/**
 * The base of the backoff, in milliseconds, and the maximum number of doublings; the actual wait is a random part of
 * it.
 */
const [BACKOFF_MS, MAX_DOUBLED] = [10, 6]
/** SQLSTATE of a serialization failure and of a deadlock. */
const CONTENTION = new Set(['40001', '40P01'])
/**
 * After this many attempts a transaction runs alone: other transactions of this process do not start until it has
 * ended, and one process at a time runs one alone.
 */
const MAX_CONCURRENT_ATTEMPTS = 4
/** The longest that the others wait, in milliseconds: lease renewals and heartbeats are among them. */
const MAX_EXCLUSIVE_MS = 5000
/** `ended` resolves when the transaction that runs alone has ended; undefined if none does. */
const exclusive: { ended?: Promise<void> | undefined } = {}

/**
 * Keeps other transactions of this process from starting, and waits until no other process does so. Returns a function
 * that lets them start again; undefined if that took so long that they have started.
 */
async function blockOthers(): Promise<(() => void) | undefined> {
  while (exclusive.ended) await exclusive.ended
  const { promise, resolve } = Promise.withResolvers<void>()
  const unblock = () => {
    clearTimeout(timer)
    if (exclusive.ended === promise) exclusive.ended = undefined
    resolve()
  }
  const timer = setTimeout(unblock, MAX_EXCLUSIVE_MS)
  exclusive.ended = promise
  // In a transaction of its own: a serializable one that waits for a lock then reads what was current before.
  await new Promise<void>((locked) => {
    const lock = async (tx: Transaction) => {
      await advisoryLock(tx, 'exclusive')
      locked()
      await promise
    }
    attemptOnce(lock).catch(locked)
  })
  return exclusive.ended === promise ? unblock : undefined
}

/**
 * Thrown by a transaction that cannot go on without risking a deadlock: it is rolled back and restarted, with `first`
 * run first. After the last attempt, callers see a serialization failure.
 */
export class Restart extends Error {
  readonly code = '40001'
  readonly first: (tx: Transaction) => Promise<void>

  constructor(first: (tx: Transaction) => Promise<void>) {
    super('The transaction has to begin again')
    this.first = first
  }
}

/** The number of transaction retries since the start, by the SQLSTATE of the cause. */
export const retries = { '40001': 0, '40P01': 0 }

/**
 * Runs `work` in one transaction. On PostgreSQL it is retried after a deadlock or a serialization failure, with
 * exponential backoff and jitter. `work` must therefore have no side effects outside the database.
 */
export async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  noteWrite()
  let first: Restart['first'] | undefined
  let unblock: (() => void) | undefined
  try {
    for (let attempt = 1; ; attempt += 1)
      try {
        if (attempt > MAX_CONCURRENT_ATTEMPTS) unblock ??= await blockOthers()
        else while (exclusive.ended) await exclusive.ended
        return await attemptOnce(work, first)
      } catch (error) {
        await beforeRetry(error, attempt, unblock && 1)
        if (error instanceof Restart) first = error.first
      }
  } finally {
    unblock?.()
  }
}

/** Waits before a retry. Rethrows an error that a retry would not avoid, and the error of the last attempt. */
async function beforeRetry(error: unknown, attempt: number, doubled = Math.min(attempt, MAX_DOUBLED)): Promise<void> {
  const { code } = error as { code?: unknown }
  if (!CONTENTION.has(String(code)) || attempt === MAX_ATTEMPTS) throw error
  retries[code as keyof typeof retries] += 1
  noteRetry(String(code))
  if (!(error instanceof Restart)) await sleep(Math.random() * BACKOFF_MS * 2 ** doubled)
}

/** A single statement is a transaction of its own, and is retried like one. */
const sendToPrimary: Send = async (query) => {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await access.send(query)
    } catch (error) {
      await beforeRetry(error, attempt)
    }
}

const sendAlone: Send = async (query) => (await readFromReplica(query)) ?? sendToPrimary(query)

async function attemptOnce<T>(work: (tx: Transaction) => Promise<T>, first?: Restart['first']): Promise<T> {
  const session = await access.begin()
  const tx = transactionOn(session)
  const acts: ((committed: boolean) => void)[] = []
  const sent: Sent = { session, answers: [], areWritten: true }
  const last = new Map<Stage, () => Promise<void>>()
  whenEnded.set(tx, acts)
  atTheEnd.set(tx, last)
  notAwaited.set(tx, sent)
  let result: T
  try {
    await first?.(tx)
    result = await work(tx)
    for (const stage of STAGES) await last.get(stage)?.()
    // If a statement that precedes the commit on the connection fails, so does the commit. One that was never written
    // must fail before it.
    if (!sent.areWritten) await Promise.all(sent.answers)
    await together(...sent.answers, session.commit())
  } catch (error) {
    const settled = await Promise.allSettled(sent.answers)
    const failed = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
    await session.rollback().catch(() => undefined)
    for (const act of acts) act(false)
    throw firstCause([...failed, error])
  } finally {
    session.release()
  }
  for (const act of acts) act(true)
  return result
}

/** The statements of a transaction that are not awaited. */
interface Sent {
  session: Session
  answers: Promise<unknown>[]
  /** Whether each was written to the connection when it was sent. */
  areWritten: boolean
}
const notAwaited = new WeakMap<Transaction, Sent>()

/**
 * Sends a single statement of a transaction without waiting for the answer (pipelining). The database runs it before
 * any that is sent later. If it fails, the transaction fails.
 */
export function send(tx: Transaction, statement: { execute(): Promise<unknown> }): void {
  const sent = notAwaited.get(tx)
  if (!sent) throw new Error('This transaction was not begun by `transaction`')
  const { written } = sent.session
  const done = statement.execute()
  done.catch(() => undefined)
  sent.answers.push(done)
  if (sent.session.written === written) sent.areWritten = false
}

const whenEnded = new WeakMap<Transaction, ((committed: boolean) => void)[]>()

/** Runs `act` after the transaction has committed or been rolled back. `act` must not throw. */
export const afterEnd = (tx: Transaction, act: (committed: boolean) => void): void => void whenEnded.get(tx)?.push(act)

/** Runs `act` after the transaction has committed, and never if it fails. `act` must not throw. */
export const afterCommit = (tx: Transaction, act: () => void): void =>
  afterEnd(tx, (committed) => {
    if (committed) act()
  })

/**
 * What every transaction writes at its end, in this order. Rows that many writers need are then locked only briefly,
 * and the fixed order avoids deadlocks.
 */
const STAGES = ['ratings', 'tagUses', 'assetFlags', 'relatedFindings', 'counters', 'inboxes', 'audit'] as const
type Stage = (typeof STAGES)[number]

const atTheEnd = new WeakMap<Transaction, Map<Stage, () => Promise<void>>>()

/**
 * Collects what a transaction writes at its end. The first call in a transaction creates the collection with `start`,
 * and has `write` store it at that stage. Every call returns the collection of its transaction.
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

/**
 * Locks the selected rows until the transaction ends, as `lockRows` does. SQLite has one writer at a time and needs
 * nothing.
 */
export const locked = <T extends { forNoKeyUpdate(): unknown }>(query: T): T =>
  engine === 'postgres' ? (query.forNoKeyUpdate() as T) : query

/**
 * Takes an advisory lock until the transaction ends: transactions with the same name run one at a time from here on.
 * SQLite has one writer at a time and needs nothing.
 */
export async function advisoryLock(tx: Transaction, name: string): Promise<void> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

/**
 * `advisoryLocks` divides its names into this many groups: PostgreSQL has room for only a few thousand locks in all.
 */
const GROUPS = 64
/** With more names than this, the groups are locked instead of the names. */
const MAX_NAMED = 16

/**
 * Like `advisoryLock`, for several names. With few names, each is locked, and its group is locked in shared mode. With
 * many, only the groups are locked. All locks are taken in one statement, in one order.
 */
export async function advisoryLocks(tx: Transaction, name: string, names: string[]): Promise<void> {
  if (engine !== 'postgres' || names.length === 0) return
  const isFew = names.length <= MAX_NAMED
  const numbers = names.flatMap((each) => {
    const hash = createHash('sha256').update(each).digest()
    const group = 1 + (hash.readUInt32BE() % GROUPS)
    return isFew ? [group, 1 + GROUPS + hash.readUIntBE(4, 6)] : [group]
  })
  const inOrder = [...new Set(numbers)].toSorted((one, other) => one - other)
  const key = sql`hashtextextended(${name}, "number"::bigint)`
  const lock = sql`pg_advisory_xact_lock(${key})`
  const shared = sql`pg_advisory_xact_lock_shared(${key})`
  await sql`SELECT ${isFew ? sql`CASE WHEN "number"::bigint <= ${sql.lit(GROUPS)} THEN ${shared} ELSE ${lock} END` : lock}
    FROM json_array_elements_text(${JSON.stringify(inOrder)}::json) AS "number"`.execute(tx)
}

/**
 * Takes the lock of `advisoryLock` in shared mode: its holders run concurrently. Only those that take it with
 * `advisoryLock` wait for them, and vice versa.
 */
export async function sharedAdvisoryLock(tx: Transaction, name: string): Promise<void> {
  if (engine === 'postgres') await sql`SELECT pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(tx)
}

// What the engines store differs from the contract in three ways: booleans are 0 and 1, documents are JSON text, and an
// empty clearable field is null. Values are encoded when they are sent, and decoded by the columns of the tables in the
// query.

const decoding: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => {
    noteColumns(node, queryId)
    return node
  },
  transformResult: async ({ result, queryId }) => {
    decodeRows(result.rows, queryId)
    return result
  },
}

/** The embedded database, for what cannot be done in SQL. */
let sqlite: DatabaseSync | undefined
let access: Access
let transactionOn: (session: Session) => Transaction

/** Lets Kysely build the statements, and `access` send them. What Kysely sends itself goes through its `driver`. */
function connected(dialect: Dialect, driver: Driver): Kysely<Tables> {
  const provider = new DefaultConnectionProvider(driver)
  const [compiler, adapter] = [dialect.createQueryCompiler(), dialect.createAdapter()]
  const propsOf = (sends: Send) => {
    const executor = new DirectExecutor(sends, compiler, adapter, provider, [decoding])
    return { config: { dialect }, driver, dialect, executor }
  }
  transactionOn = (session) => new KyselyTransaction<Tables>(propsOf(session.send))
  return new Kysely<Tables>(propsOf(sendAlone))
}

/** Copies the embedded database into a file: a consistent snapshot, even while others write. */
export async function backUpDatabase(to: string): Promise<void> {
  if (sqlite) await backup(sqlite, to, { rate: ALL_PAGES })
}

/** Whether the database answers within `PROBE_TIMEOUT_MS`. */
export async function isReachable(): Promise<boolean> {
  const asked = sql`SELECT 1`.execute(db).then(
    () => true,
    () => false,
  )
  return Promise.race([asked, sleep(PROBE_TIMEOUT_MS, false, { ref: false })])
}
